import SamSwift

extension BinaryMask {
  /// A session's mask at the size of its picture: smaller ones are stretched bilinearly, as a
  /// program would to lay them over the picture; the middle, 127.5, is the border.
  package init(_ mask: SamMask) {
    let (width, height) = (mask.imageWidth, mask.imageHeight)
    let alpha = mask.alpha
    if alpha.width == width, alpha.height == height {
      self.init(width: width, height: height, bytes: alpha.pixels.map { $0 >> 7 })
      return
    }
    let columns = Self.taps(width, step: mask.pixelWidth, count: alpha.width)
    let rows = Self.taps(height, step: mask.pixelHeight, count: alpha.height)
    let bytes = [UInt8](unsafeUninitializedCapacity: width * height) { output, used in
      alpha.pixels.withUnsafeBufferPointer { input in
        for y in 0..<height {
          let row = rows[y]
          let (above, below) = (row.first * alpha.width, row.second * alpha.width)
          for x in 0..<width {
            let column = columns[x]
            let upper = Self.blend(
              input[above + column.first], input[above + column.second], column.share)
            let lower = Self.blend(
              input[below + column.first], input[below + column.second], column.share)
            output[y * width + x] = upper + (lower - upper) * row.share > 127.5 ? 1 : 0
          }
        }
      }
      used = width * height
    }
    self.init(width: width, height: height, bytes: bytes)
  }

  /// Where a pixel of the picture reads along one side of the mask.
  private struct Tap {
    let first: Int
    let second: Int
    /// What the second one counts, 0...1.
    let share: Float
  }

  /// `step` is how many pixels of the picture one of the mask is long.
  private static func taps(_ length: Int, step: Double, count: Int) -> [Tap] {
    (0..<length).map { i in
      let position = min(max((Double(i) + 0.5) / step - 0.5, 0), Double(count - 1))
      let first = Int(position)
      return Tap(
        first: first, second: min(first + 1, count - 1), share: Float(position - Double(first)))
    }
  }

  private static func blend(_ first: UInt8, _ second: UInt8, _ share: Float) -> Float {
    Float(first) + (Float(second) - Float(first)) * share
  }
}
