/// Exact Euclidean distances to the nearest pixel of one side of a mask's edge.
///
/// The transform of Felzenszwalb and Huttenlocher (2012): distances along columns first, then along
/// each row the lower envelope of the parabolas that they make. The columns are computed at once, 2
/// bytes a pixel; rows are computed when they are asked for, several at a time if need be, and
/// nothing as large as the picture is kept of them. Time is linear in the pixels.
package struct DistanceMap: Sendable {
  /// Which pixels distances lead to.
  package enum Side: Sendable {
    /// Pixels of 128 and above.
    case object
    /// Pixels below 128.
    case surroundings
  }

  package let width: Int
  package let height: Int
  /// Larger distances are not told apart; at most ``farthest``.
  package let limit: Int

  /// The largest limit.
  package static let farthest = 32_765

  /// Row-major, 0...255.
  private let mask: [UInt8]
  /// What a value is combined with so that 128 and above is a site.
  private let flip: UInt8
  /// Distance to the nearest site of the same column; `limit + 1` where it is beyond the limit.
  private let columns: [Int16]

  /// Measures a mask of `width · height` values.
  package init(
    mask: [UInt8], width: Int, height: Int, to side: Side, limit: Int, loop: RowLoop = .serial
  ) {
    precondition(mask.count == width * height, "\(mask.count) values are not \(width)×\(height)")
    precondition((0...Self.farthest).contains(limit), "a distance of \(limit) is out of range")
    self.mask = mask
    self.width = width
    self.height = height
    self.limit = limit
    let flip: UInt8 = side == .object ? 0 : 255
    self.flip = flip
    let beyond = Int16(limit + 1)
    columns = [Int16](unsafeUninitializedCapacity: width * height) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      let memory = SharedMemory(base)
      mask.withUnsafeBufferPointer { mask in
        guard let values = mask.baseAddress else { return }
        let source = SharedInput(values)
        // Columns do not depend on each other: a band is a stripe of them.
        loop.bands(of: width, height: 256) { stripe in
          Self.measureColumns(
            source.base + stripe.lowerBound, memory.base + stripe.lowerBound, stripe.count,
            width: width, height: height, flip: flip, beyond: beyond)
        }
      }
      count = width * height
    }
  }

  private static func measureColumns(
    _ mask: UnsafePointer<UInt8>, _ columns: UnsafeMutablePointer<Int16>, _ count: Int,
    width: Int, height: Int, flip: UInt8, beyond: Int16
  ) {
    for x in 0..<count { columns[x] = mask[x] ^ flip >= 128 ? 0 : beyond }
    for y in 1..<max(1, height) {
      let values = mask + y * width
      let row = columns + y * width
      let above = row - width
      for x in 0..<count {
        let stepped = min(above[x] &+ 1, beyond)
        row[x] = values[x] ^ flip >= 128 ? 0 : stepped
      }
    }
    for y in (0..<max(0, height - 1)).reversed() {
      let row = columns + y * width
      let below = row + width
      for x in 0..<count { row[x] = min(row[x], below[x] &+ 1) }
    }
  }

  /// Memory for one row's computation; each thread needs its own.
  package final class RowScratch {
    /// Squared distances along each column, negative where there is no site in reach.
    fileprivate let heights: Scratch<Double>
    /// Parabolas of the lower envelope: where their lowest points are, how high those lie, and the first
    /// column at which each is the lowest.
    fileprivate let centres: Scratch<Double>
    fileprivate let bottoms: Scratch<Double>
    fileprivate let starts: Scratch<Int>
    /// Squared distances of the row's pixels, and the columns of their nearest sites.
    fileprivate let squares: Scratch<Double>
    fileprivate let sites: Scratch<Int32>

    package init(_ map: DistanceMap) {
      heights = Scratch(map.width)
      centres = Scratch(map.width + 1)
      bottoms = Scratch(map.width + 1)
      starts = Scratch(map.width + 1)
      squares = Scratch(map.width)
      sites = Scratch(map.width)
    }
  }

  /// Writes the squared distances of one row: 0 at a site, `(limit + 1)²` beyond the limit.
  package func squares(
    ofRow y: Int, into output: UnsafeMutablePointer<Int32>, _ scratch: RowScratch
  ) {
    measureRow(y, isExact: true, scratch)
    let beyond = Int32(limit + 1) * Int32(limit + 1)
    let farthest = Double(limit * limit)
    for x in 0..<width {
      let square = scratch.squares.base[x]
      output[x] = square > farthest ? beyond : Int32(square)
    }
  }

  /// Whether a row holds pixels that are no sites but have one within the limit.
  func reaches(row y: Int) -> Bool {
    let beyond = Int16(limit + 1)
    return columns[y * width..<(y + 1) * width].withUnsafeBufferPointer { row in
      // A site in reach of any pixel of the row is in reach of the one in its own column.
      var (holds, lacks) = (false, false)
      for distance in row {
        holds = holds || distance < beyond
        lacks = lacks || distance > 0
      }
      return holds && lacks
    }
  }

  /// Writes the index of the site nearest to each pixel of a row; negative beyond the limit.
  func nearestSites(
    ofRow y: Int, into output: UnsafeMutablePointer<Int32>, _ scratch: RowScratch
  ) {
    measureRow(y, isExact: true, scratch)
    let farthest = Double(limit * limit)
    mask.withUnsafeBufferPointer { mask in
      columns.withUnsafeBufferPointer { columns in
        for x in 0..<width {
          guard scratch.squares.base[x] <= farthest else {
            output[x] = -1
            continue
          }
          let column = columns[y * width + x] == 0 ? x : Int(scratch.sites.base[x])
          let down = Int(columns[y * width + column])
          let isAbove = y >= down && mask[(y - down) * width + column] ^ flip >= 128
          output[x] = Int32(truncatingIfNeeded: (isAbove ? y - down : y + down) * width + column)
        }
      }
    }
  }

  /// Writes one row's distances to the line where the mask passes its middle; `limit + 1` beyond.
  ///
  /// The values of a site and of the pixel before it tell how much of them lies on its side, and so
  /// where between the pixels the line runs: distances change smoothly along an edge that is not
  /// parallel to the grid. They are negative, to −0.5, in the sites themselves.
  package func edgeDistances(
    ofRow y: Int, into output: UnsafeMutablePointer<Float>, _ scratch: RowScratch
  ) {
    measureRow(y, isExact: false, scratch)
    let beyond = Float(limit + 1)
    let farthest = Double(limit * limit)
    mask.withUnsafeBufferPointer { mask in
      columns.withUnsafeBufferPointer { columns in
        let start = y * width
        for x in 0..<width {
          if columns[start + x] == 0 {
            output[x] = 0.5 - Float(mask[start + x] ^ flip) * (1 / 255)
          } else {
            let square = scratch.squares.base[x]
            output[x] = square > farthest ? beyond : Float(square).squareRoot()
          }
        }
      }
    }
  }

  /// Computes the squared distances of one row, to the sites' centres or to the line.
  private func measureRow(_ y: Int, isExact: Bool, _ scratch: RowScratch) {
    columns.withUnsafeBufferPointer { columns in
      mask.withUnsafeBufferPointer { mask in
        guard let base = columns.baseAddress, let values = mask.baseAddress else { return }
        let row = base + y * width
        let heights = scratch.heights.base
        for x in 0..<width {
          let down = Int(row[x])
          if down == 0 || down > limit {
            heights[x] = down == 0 ? 0 : -1
          } else {
            let height = isExact ? Double(down) : Double(down) - cover(x, y, down, values)
            heights[x] = height * height
          }
        }
        var x = 0
        while x < width {
          if row[x] == 0 {
            scratch.squares.base[x] = 0
            x += 1
            continue
          }
          let start = x
          while x < width, row[x] != 0 { x += 1 }
          var ends = (left: Double(start - 1), right: Double(x))
          if !isExact {
            let line = values + y * width
            if start > 0 { ends.left += share(line[start - 1], line[start]) }
            if x < width { ends.right -= share(line[x], line[x - 1]) }
          }
          measure(start..<x, ends, scratch)
        }
      }
    }
  }

  /// How far beyond the centre of a column's nearest site the line runs, on the way to row `y`.
  @inline(__always)
  private func cover(
    _ x: Int, _ y: Int, _ down: Int, _ values: UnsafePointer<UInt8>
  ) -> Double {
    var cover = 0.0
    if y >= down {
      let site = values + (y - down) * width + x
      if site[0] ^ flip >= 128 { cover = share(site[0], site[width]) }
    }
    if y + down < height {
      let site = values + (y + down) * width + x
      if site[0] ^ flip >= 128 { cover = max(cover, share(site[0], site[-width])) }
    }
    return cover
  }

  /// Where between the centres of a site and of the pixel before it the line runs, 0..<1.
  @inline(__always)
  private func share(_ site: UInt8, _ before: UInt8) -> Double {
    Double(Int(site ^ flip) + Int(before ^ flip)) * (1 / 255) - 0.5
  }

  /// Measures a stretch of the row that holds no site itself.
  ///
  /// Sites at the stretch's two ends shield it from everything beyond them.
  private func measure(
    _ span: Range<Int>, _ ends: (left: Double, right: Double), _ scratch: RowScratch
  ) {
    var envelope = Envelope(end: span.upperBound, scratch)
    if span.lowerBound > 0 { envelope.add(ends.left, 0) }
    for column in span {
      let height = scratch.heights.base[column]
      if height >= 0 { envelope.add(Double(column), height) }
    }
    if span.upperBound < width { envelope.add(ends.right, 0) }
    envelope.evaluate(span, squares: scratch.squares.base, sites: scratch.sites.base)
  }

  /// The lowest of parabolas of one shape, added from left to right.
  private struct Envelope {
    private let end: Int
    private let centres: UnsafeMutablePointer<Double>
    private let bottoms: UnsafeMutablePointer<Double>
    private let starts: UnsafeMutablePointer<Int>
    private var top = -1

    init(end: Int, _ scratch: RowScratch) {
      self.end = end
      centres = scratch.centres.base
      bottoms = scratch.bottoms.base
      starts = scratch.starts.base
    }

    mutating func add(_ centre: Double, _ bottom: Double) {
      var start = Int.min
      while top >= 0 {
        let other = centres[top]
        let difference = centre * centre + bottom - other * other - bottoms[top]
        // The last column at which the other one is at least as low. For whole numbers this is exact:
        // the numerator is below 2⁵³, and a quotient that is no integer is farther from one than
        // rounding reaches.
        start = Int((difference / (2 * (centre - other))).rounded(.down)) + 1
        if start > starts[top] { break }
        top -= 1
      }
      if top < 0 { start = .min }
      if start >= end { return }
      top += 1
      centres[top] = centre
      bottoms[top] = bottom
      starts[top] = start
    }

    func evaluate(
      _ span: Range<Int>, squares: UnsafeMutablePointer<Double>,
      sites: UnsafeMutablePointer<Int32>
    ) {
      guard top >= 0 else {
        for x in span { squares[x] = .infinity }
        return
      }
      var index = 0
      for x in span {
        while index < top, starts[index + 1] <= x { index += 1 }
        let distance = Double(x) - centres[index]
        squares[x] = distance * distance + bottoms[index]
        sites[x] = Int32(centres[index])
      }
    }
  }
}

/// Memory that several bands read at once.
struct SharedInput<Element>: @unchecked Sendable {
  let base: UnsafePointer<Element>

  init(_ base: UnsafePointer<Element>) {
    self.base = base
  }
}
