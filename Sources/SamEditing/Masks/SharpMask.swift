import SamImageIO

extension PixelImage {
  /// A probability mask with clean edges: 255 inside, 0 outside, and in between only on the line.
  ///
  /// At each pixel the value's distance to the middle, divided by the steepness there, tells how many
  /// pixels away the line of one half runs; within half a pixel of it the result is the share of the
  /// pixel that lies inside. 128 and above stays so, and what is below stays below; 0 and 255 stay
  /// what they are, as does an edge that is clean already. One pass.
  package func sharpened(loop: RowLoop = .serial) -> PixelImage {
    precondition(channels == 1, "a mask is gray, not of \(channels) channels")
    let sharp: [UInt8] = loop.plane(rows: height, length: width) { rows, first in
      pixels.withUnsafeBufferPointer { input in
        guard let base = input.baseAddress else { return }
        for (index, y) in rows.enumerated() {
          let row = MaskRow(
            middle: base + y * width, above: base + max(y - 1, 0) * width,
            below: base + min(y + 1, height - 1) * width, width: width)
          row.sharpen(into: first + index * width)
        }
      }
    }
    return PixelImage(width: width, height: height, channels: 1, pixels: sharp)
  }
}

/// A row of a mask with its neighbours; at the picture's edge the row stands in for the one beyond.
private struct MaskRow {
  let middle: UnsafePointer<UInt8>
  let above: UnsafePointer<UInt8>
  let below: UnsafePointer<UInt8>
  let width: Int

  /// An edge this steep (in values a pixel) is two pixels wide: it is clean, and sharpening it again
  /// would only take away its anti-aliasing.
  private static let clean: Float = 112
  /// From here on to `clean` the sharpened value gives way to the given one.
  private static let almostClean: Float = 64

  func sharpen(into output: UnsafeMutablePointer<UInt8>) {
    var x = 0
    // Most of a mask is 0 or 255; sixteen such values at a time are only copied.
    while x + 16 <= width {
      let values = UnsafeRawPointer(middle + x).loadUnaligned(as: SIMD16<UInt8>.self)
      UnsafeMutableRawPointer(output + x).storeBytes(of: values, as: SIMD16<UInt8>.self)
      if any((values &+ 1) .> 1) {
        for column in x..<x + 16 { output[column] = sharpened(column) }
      }
      x += 16
    }
    while x < width {
      output[x] = sharpened(x)
      x += 1
    }
  }

  private func sharpened(_ x: Int) -> UInt8 {
    let value = middle[x]
    if value &+ 1 <= 1 { return value }
    let left = max(x - 1, 0)
    let right = min(x + 1, width - 1)
    // At the picture's edge the difference is taken over one pixel instead of two.
    let wide: Float = right - left == 2 ? 0.5 : 1
    let tall: Float = above != middle && below != middle ? 0.5 : 1
    let dx = Float(Int32(middle[right]) - Int32(middle[left])) * wide
    let dy = Float(Int32(below[x]) - Int32(above[x])) * tall
    let steepness = max(1, (dx * dx + dy * dy).squareRoot())
    // 127.5 is the middle; the result is 127.5 there too.
    let share = min(1, max(0, 0.5 + (Float(value) - 127.5) / steepness)) * 255
    let cleanness = min(
      1, max(0, (steepness - Self.almostClean) / (Self.clean - Self.almostClean)))
    let result = share + (Float(value) - share) * cleanness
    return UInt8(truncatingIfNeeded: Int32(result + 0.5))
  }
}
