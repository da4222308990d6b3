import SamImageIO

/// A mask as lengths of runs, in COCO's order: down each column, columns from left to right.
///
/// The first run counts pixels outside (it may be 0), the next pixels inside, and so on. This is the
/// format of COCO, of SAM's mask generator and of pycocotools; the round trip is exact.
public struct MaskRuns: Sendable, Hashable {
  /// Pixels of a row.
  public let width: Int
  /// Number of rows.
  public let height: Int
  /// Lengths of the runs; they add up to `width · height`.
  public let counts: [Int]

  /// Checks run lengths.
  ///
  /// - Throws: ``EditingError/malformedRunLengths(reason:)`` for lengths that do not fill the size.
  public init(width: Int, height: Int, counts: [Int]) throws(EditingError) {
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow else {
      throw .malformedRunLengths(reason: "\(width)×\(height) is no size of a picture")
    }
    var sum = 0
    for count in counts {
      guard count >= 0, count <= area - sum else {
        throw .malformedRunLengths(
          reason: "a run of \(count) pixels does not fit into \(width)×\(height)")
      }
      sum += count
    }
    guard sum == area else {
      throw .malformedRunLengths(
        reason: "they hold \(sum) pixels, \(width)×\(height) has \(area)")
    }
    self.init(width: width, height: height, checked: counts)
  }

  private init(width: Int, height: Int, checked counts: [Int]) {
    self.width = width
    self.height = height
    self.counts = counts
  }

  /// Measures the runs of a gray mask; 128 and above is inside.
  ///
  /// Reads the pixels row by row, twice; memory is proportional to the runs.
  package init(_ mask: PixelImage) {
    precondition(mask.channels == 1, "a mask is gray, not of \(mask.channels) channels")
    let width = mask.width
    let height = mask.height
    // Where a pixel differs from the one above it (the first of a column: from the last of the
    // column before), a run begins. First the runs of each column are counted, then they are placed.
    var ends = [Int](repeating: 0, count: width)
    var starts: [Int] = []
    mask.pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      let beginning = ColumnBeginnings(base, width: width, height: height)
      ends.withUnsafeMutableBufferPointer { ends in
        for x in 0..<width { ends[x] = beginning.isRun(at: x) ? 1 : 0 }
        for y in 1..<max(1, height) {
          let row = base + y * width
          let above = row - width
          for x in 0..<width { ends[x] &+= Int((row[x] ^ above[x]) >> 7) }
        }
        var sum = 0
        for x in 0..<width {
          let count = ends[x]
          ends[x] = sum
          sum += count
        }
        starts = [Int](repeating: 0, count: sum)
        starts.withUnsafeMutableBufferPointer { starts in
          for x in 0..<width where beginning.isRun(at: x) {
            starts[ends[x]] = x * height
            ends[x] += 1
          }
          for y in 1..<max(1, height) {
            let row = base + y * width
            let above = row - width
            for x in 0..<width where (row[x] ^ above[x]) >= 128 {
              starts[ends[x]] = x * height + y
              ends[x] += 1
            }
          }
        }
      }
    }
    var counts: [Int] = []
    counts.reserveCapacity(starts.count + 1)
    var last = 0
    for start in starts {
      counts.append(start - last)
      last = start
    }
    counts.append(width * height - last)
    self.init(width: width, height: height, checked: counts)
  }

  /// The mask: 255 inside, 0 outside.
  package var image: PixelImage {
    var pixels = [UInt8](repeating: 0, count: width * height)
    pixels.withUnsafeMutableBufferPointer { pixels in
      var position = 0
      for (index, count) in counts.enumerated() {
        if index % 2 == 1 {
          for place in position..<position + count {
            pixels[place % height * width + place / height] = 255
          }
        }
        position += count
      }
    }
    return PixelImage(width: width, height: height, channels: 1, pixels: pixels)
  }

  /// How many pixels are inside.
  public var area: Int {
    stride(from: 1, to: counts.count, by: 2).reduce(0) { $0 + counts[$1] }
  }

  /// The smallest rectangle round the pixels inside, as COCO writes it: x, y, width, height; zeros
  /// for an empty mask.
  public var box: [Int] {
    var (left, right, top, bottom) = (width, -1, height, -1)
    var position = 0
    for (index, count) in counts.enumerated() {
      if index % 2 == 1, count > 0 {
        let last = position + count - 1
        left = min(left, position / height)
        right = max(right, last / height)
        // A run that goes on in the next column touches the last row and the first.
        let crosses = position / height != last / height
        top = min(top, crosses ? 0 : position % height)
        bottom = max(bottom, crosses ? height - 1 : last % height)
      }
      position += count
    }
    return right < 0 ? [0, 0, 0, 0] : [left, top, right - left + 1, bottom - top + 1]
  }
}

/// Whether the first pixel of a column begins a run.
private struct ColumnBeginnings {
  private let base: UnsafePointer<UInt8>
  private let width: Int
  private let height: Int

  init(_ base: UnsafePointer<UInt8>, width: Int, height: Int) {
    self.base = base
    self.width = width
    self.height = height
  }

  func isRun(at x: Int) -> Bool {
    // Before the first pixel it is outside.
    let before = x == 0 ? 0 : base[(height - 1) * width + x - 1]
    return (base[x] ^ before) >= 128
  }
}
