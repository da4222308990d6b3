import SamImageIO

extension PixelImage {
  /// A gray mask blurred with the 5×5 binomial filter, a Gaussian of one pixel's standard deviation.
  ///
  /// It takes away single pixels' noise and rounds the corners of stairs; edges stay where they are,
  /// and lines of one pixel stay lines. Beyond the border the last pixel goes on. One pass, in integers.
  func smoothed(loop: RowLoop) -> PixelImage {
    precondition(channels == 1, "a mask is gray, not of \(channels) channels")
    let width = width
    let smooth: [UInt8] = loop.plane(rows: height, length: width) { rows, first in
      // Two more columns on each side, so that the filter needs no special case.
      let sums = Scratch<UInt16>(width + 4)
      pixels.withUnsafeBufferPointer { pixels in
        guard let base = pixels.baseAddress else { return }
        func row(_ y: Int) -> UnsafePointer<UInt8> {
          base + min(max(y, 0), height - 1) * width
        }
        for (index, y) in rows.enumerated() {
          let (a, b, c, d, e) = (row(y - 2), row(y - 1), row(y), row(y + 1), row(y + 2))
          let middle = sums.base + 2
          for x in 0..<width {
            let outer = UInt16(a[x]) &+ UInt16(e[x])
            let inner = UInt16(b[x]) &+ UInt16(d[x])
            middle[x] = outer &+ inner &* 4 &+ UInt16(c[x]) &* 6
          }
          middle[-2] = middle[0]
          middle[-1] = middle[0]
          middle[width] = middle[width - 1]
          middle[width + 1] = middle[width - 1]
          let output = first + index * width
          for x in 0..<width {
            let outer = middle[x - 2] &+ middle[x + 2]
            let inner = middle[x - 1] &+ middle[x + 1]
            // At most 255 · 256 + 128, which fits.
            let sum = outer &+ inner &* 4 &+ middle[x] &* 6
            let smooth = UInt8(truncatingIfNeeded: (sum &+ 128) >> 8)
            // A pixel changes sides only where its neighbours are clearly against it.
            output[x] =
              c[x] >= 128
              ? (smooth >= 64 ? max(smooth, 128) : smooth)
              : (smooth < 192 ? min(smooth, 127) : smooth)
          }
        }
      }
    }
    return PixelImage(width: width, height: height, channels: 1, pixels: smooth)
  }
}
