import SamImageIO

extension PixelImage {
  /// A probability mask with clean edges: 255 inside, 0 outside, and in between only on the line.
  ///
  /// At each pixel the value's distance to the middle, divided by the steepness there, tells how many
  /// pixels away the line of one half runs; within half a pixel of it the result is the share of the
  /// pixel that lies inside. 128 and above stays so, and what is below stays below. One pass.
  package func sharpened() -> PixelImage {
    precondition(channels == 1, "a mask is gray, not of \(channels) channels")
    let sharp = [UInt8](unsafeUninitializedCapacity: width * height) { output, used in
      pixels.withUnsafeBufferPointer { input in
        for y in 0..<height {
          let row = y * width
          let above = max(y - 1, 0) * width
          let below = min(y + 1, height - 1) * width
          // At the picture's edge the difference is taken over one pixel instead of two.
          let tall = Float(max(1, (below - above) / width))
          for x in 0..<width {
            let value = Float(input[row + x])
            let left = max(x - 1, 0)
            let right = min(x + 1, width - 1)
            let dx =
              Float(Int(input[row + right]) - Int(input[row + left])) / Float(max(1, right - left))
            let dy = Float(Int(input[below + x]) - Int(input[above + x])) / tall
            let steepness = max(1, (dx * dx + dy * dy).squareRoot())
            // 127.5 is the middle; the result is 127.5 there too.
            let share = 0.5 + (value - 127.5) / steepness
            output[row + x] = UInt8((255 * min(1, max(0, share))).rounded())
          }
        }
      }
      used = width * height
    }
    return PixelImage(width: width, height: height, channels: 1, pixels: sharp)
  }
}
