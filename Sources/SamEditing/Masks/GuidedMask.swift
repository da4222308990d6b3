import SamImageIO

/// A mask as a linear function of the picture's colours, ready to be read at full size.
package struct GuidedMask: Sendable {
  private let picture: PixelImage
  private let width: Int
  private let height: Int
  /// At each sample the slope against red, green, blue, and the offset.
  private let fits: [SIMD4<Float>]

  /// Logits are held to ±6 before the fit: beyond, a larger number says nothing about the edge.
  private static let bound: Float = 6
  /// A logit of at least this size is sure and stays as it is, so that nothing leaks far from an edge.
  private static let sure: Float = 8
  /// From here on to `sure` the refined logit gives way to the given one.
  private static let unsure: Float = 4
  /// What makes the inside of an object opaque again, which a mean over windows has made flat.
  ///
  /// The edge, where the logit is 0, does not move.
  private static let gain: Float = 3

  init(picture: PixelImage, width: Int, height: Int, fits: [SIMD4<Float>]) {
    self.picture = picture
    self.width = width
    self.height = height
    self.fits = fits
  }

  /// A logit within the fit's bounds; what is not a number counts as outside.
  static func clamped(_ logit: Float) -> Float {
    logit.isNaN ? -bound : min(max(logit, -bound), bound)
  }

  /// Refines one row of the picture: `logits` and `output` hold the picture's width and may be the same.
  ///
  /// Only the unsure logits near the mask's edge are computed anew. Safe for several rows at once.
  package func refineRow(
    _ y: Int, logits: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>
  ) {
    let channels = picture.channels
    let (green, blue) = picture.hasColor ? (1, 2) : (0, 0)
    let count = picture.width
    let step = Float(width) / Float(count)
    let positionY = max(0, (Float(y) + 0.5) * Float(height) / Float(picture.height) - 0.5)
    let top = min(Int(positionY), height - 1)
    let bottom = min(top + 1, height - 1)
    let fractionY = positionY - Float(top)
    picture.pixels.withUnsafeBufferPointer { pixels in
      fits.withUnsafeBufferPointer { fits in
        /// The fit at a sample's column, ready for colours of 0...255 and a fourth lane of 255.
        func column(_ x: Int) -> SIMD4<Float> {
          let above = fits[top * width + x]
          return (above + (fits[bottom * width + x] - above) * fractionY) * (Self.gain / 255)
        }
        var x = 0
        var right = column(0)
        for index in 0..<width {
          // Pixels between this sample and the next one; those before the first take the first.
          let left = right
          if index + 1 < width { right = column(index + 1) }
          let slope = right - left
          let end = index + 1 == width ? count : Self.firstPixel(from: index + 1, step: step, count)
          while x < end {
            let logit = logits[x]
            let size = abs(logit)
            // NaN fails this and stays.
            if size < Self.sure {
              let start = (y * count + x) * channels
              let colour = SIMD4(
                Float(pixels[start]), Float(pixels[start + green]), Float(pixels[start + blue]),
                255)
              let fraction = max(0, (Float(x) + 0.5) * step - 0.5 - Float(index))
              let refined = ((left + slope * fraction) * colour).sum()
              let sureness = max((size - Self.unsure) / (Self.sure - Self.unsure), 0)
              output[x] = refined + (logit - refined) * sureness
            } else {
              output[x] = logit
            }
            x += 1
          }
        }
      }
    }
  }

  /// The first pixel whose centre lies at or right of a sample's centre.
  private static func firstPixel(from sample: Int, step: Float, _ count: Int) -> Int {
    min(count, max(0, Int(((Float(sample) + 0.5) / step - 0.5).rounded(.up))))
  }
}
