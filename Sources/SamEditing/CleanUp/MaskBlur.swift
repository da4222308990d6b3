import SamImageIO

extension PixelImage {
  /// A gray mask blurred with three box filters in a row, which is all but a Gaussian.
  ///
  /// Running sums make the time independent of the width: linear in the pixels. Beyond the border the
  /// last pixel goes on.
  func blurred(deviation: Double, loop: RowLoop) -> PixelImage {
    precondition(channels == 1, "a mask is gray, not of \(channels) channels")
    // Three boxes of n pixels have a variance of (n² − 1) / 4; the radii are chosen to come nearest.
    let ideal = (4 * deviation * deviation + 1).squareRoot()
    let small = max(0, Int((ideal - 1) / 2))
    let smallVariance = Double((2 * small + 1) * (2 * small + 1) - 1) / 12
    let largeVariance = Double((2 * small + 3) * (2 * small + 3) - 1) / 12
    let wanted = (deviation * deviation - 3 * smallVariance) / (largeVariance - smallVariance)
    let larger = min(3, max(0, Int(wanted.rounded())))
    var planes = pixels
    for pass in 0..<3 {
      let radius = pass < larger ? small + 1 : small
      guard radius > 0 else { continue }
      planes = Self.boxAlongRows(planes, width: width, height: height, radius: radius, loop: loop)
      planes = Self.boxAlongColumns(
        planes, width: width, height: height, radius: radius, loop: loop)
    }
    return PixelImage(width: width, height: height, channels: 1, pixels: planes)
  }

  private static func boxAlongRows(
    _ plane: [UInt8], width: Int, height: Int, radius: Int, loop: RowLoop
  ) -> [UInt8] {
    let scale = 1 / Float(2 * radius + 1)
    return loop.plane(rows: height, length: width) { rows, first in
      plane.withUnsafeBufferPointer { plane in
        guard let base = plane.baseAddress else { return }
        for (index, y) in rows.enumerated() {
          let row = base + y * width
          let output = first + index * width
          var sum = Int32(row[0]) * Int32(radius)
          for x in 0...radius { sum += Int32(row[min(x, width - 1)]) }
          for x in 0..<width {
            output[x] = UInt8(truncatingIfNeeded: Int32(Float(sum) * scale + 0.5))
            sum += Int32(row[min(x + radius + 1, width - 1)]) - Int32(row[max(x - radius, 0)])
          }
        }
      }
    }
  }

  private static func boxAlongColumns(
    _ plane: [UInt8], width: Int, height: Int, radius: Int, loop: RowLoop
  ) -> [UInt8] {
    let scale = 1 / Float(2 * radius + 1)
    // A band's first sums cost as much as 2 · radius of its rows.
    return loop.plane(rows: height, length: width, bandHeight: max(64, 4 * radius)) { rows, first in
      let sums = Scratch<Int32>(width)
      sums.base.initialize(repeating: 0, count: width)
      plane.withUnsafeBufferPointer { plane in
        guard let base = plane.baseAddress else { return }
        func row(_ y: Int) -> UnsafePointer<UInt8> {
          base + min(max(y, 0), height - 1) * width
        }
        for y in rows.lowerBound - radius...rows.lowerBound + radius {
          let row = row(y)
          for x in 0..<width { sums.base[x] &+= Int32(row[x]) }
        }
        for (index, y) in rows.enumerated() {
          let output = first + index * width
          for x in 0..<width {
            output[x] = UInt8(truncatingIfNeeded: Int32(Float(sums.base[x]) * scale + 0.5))
          }
          let coming = row(y + radius + 1)
          let leaving = row(y - radius)
          for x in 0..<width { sums.base[x] &+= Int32(coming[x]) &- Int32(leaving[x]) }
        }
      }
    }
  }
}
