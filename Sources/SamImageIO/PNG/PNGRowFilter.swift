/// PNG's row filters: each row is written as differences to its neighbours, whichever way makes them
/// smallest.
///
/// The choice is the specification's own heuristic: the filter with the least sum of absolute values.
enum PNGRowFilter {
  /// The filtered rows of a picture, each after a byte that names its filter.
  static func filtered(_ image: PixelImage) -> [UInt8] {
    let length = image.bytesPerRow
    let step = image.channels
    return [UInt8](unsafeUninitializedCapacity: (length + 1) * image.height) { output, count in
      count = (length + 1) * image.height
      // A row of nothing lies above the first.
      var candidate = [UInt8](repeating: 0, count: length)
      let nothing = [UInt8](repeating: 0, count: length)
      image.pixels.withUnsafeBufferPointer { pixels in
        nothing.withUnsafeBufferPointer { nothing in
          candidate.withUnsafeMutableBufferPointer { candidate in
            guard let base = pixels.baseAddress, let target = output.baseAddress,
              let zeros = nothing.baseAddress, let buffer = candidate.baseAddress
            else { return }
            for y in 0..<image.height {
              let row = base + y * length
              let above = y > 0 ? row - length : zeros
              let place = target + y * (length + 1)
              var least = Int.max
              for filter in UInt8(0)...4 {
                apply(filter, row, above, length, step, buffer)
                let cost = cost(buffer, length)
                if cost < least {
                  least = cost
                  place[0] = filter
                  (place + 1).update(from: buffer, count: length)
                }
              }
            }
          }
        }
      }
    }
  }

  private static func cost(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var sum = 0
    for i in 0..<count {
      // The size of the byte as a signed number; −128 counts 128.
      let byte = bytes[i]
      sum += Int(min(byte, 0 &- byte))
    }
    return sum
  }

  private static func apply(
    _ filter: UInt8, _ row: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ length: Int,
    _ step: Int, _ output: UnsafeMutablePointer<UInt8>
  ) {
    switch filter {
    case 1:
      for i in 0..<step { output[i] = row[i] }
      for i in step..<length { output[i] = row[i] &- row[i - step] }
    case 2:
      for i in 0..<length { output[i] = row[i] &- above[i] }
    case 3:
      for i in 0..<step { output[i] = row[i] &- above[i] / 2 }
      for i in step..<length {
        let mean = (UInt16(row[i - step]) + UInt16(above[i])) / 2
        output[i] = row[i] &- UInt8(truncatingIfNeeded: mean)
      }
    case 4:
      for i in 0..<step { output[i] = row[i] &- above[i] }
      for i in step..<length {
        output[i] = row[i] &- paeth(row[i - step], above[i], above[i - step])
      }
    default:
      output.update(from: row, count: length)
    }
  }

  /// Paeth's predictor: whichever of left, above and upper left is nearest to left + above − upper left.
  private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let toLeft = abs(Int16(above) - Int16(corner))
    let toAbove = abs(Int16(left) - Int16(corner))
    let toCorner = abs(Int16(left) + Int16(above) - 2 * Int16(corner))
    if toLeft <= toAbove && toLeft <= toCorner { return left }
    return toAbove <= toCorner ? above : corner
  }
}
