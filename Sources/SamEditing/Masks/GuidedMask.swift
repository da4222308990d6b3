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
  /// A mean over windows is flatter than what it was fitted to; this makes the inside of an object
  /// opaque again. The edge, where the logit is 0, does not move.
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
    let hasColour = picture.hasColor
    let stepX = Float(width) / Float(picture.width)
    let positionY = max(0, (Float(y) + 0.5) * Float(height) / Float(picture.height) - 0.5)
    let top = min(Int(positionY), height - 1)
    let bottom = min(top + 1, height - 1)
    let fractionY = positionY - Float(top)
    picture.pixels.withUnsafeBufferPointer { pixels in
      fits.withUnsafeBufferPointer { fits in
        func column(_ x: Int) -> SIMD4<Float> {
          let above = fits[top * width + x]
          return above + (fits[bottom * width + x] - above) * fractionY
        }
        var heldColumn = -1
        var left = SIMD4<Float>.zero
        var right = left
        for x in 0..<picture.width {
          let logit = logits[x]
          let size = abs(logit)
          // NaN fails this and stays.
          guard size < Self.sure else {
            output[x] = logit
            continue
          }
          let position = max(0, (Float(x) + 0.5) * stepX - 0.5)
          let index = min(Int(position), width - 1)
          if index != heldColumn {
            left = index == heldColumn + 1 && heldColumn >= 0 ? right : column(index)
            right = column(min(index + 1, width - 1))
            heldColumn = index
          }
          let fit = left + (right - left) * (position - Float(index))
          let start = (y * picture.width + x) * channels
          let red = Float(pixels[start])
          let colour =
            hasColour
            ? SIMD3(red, Float(pixels[start + 1]), Float(pixels[start + 2]))
            : SIMD3(red, red, red)
          let slope = fit.x * colour.x + fit.y * colour.y + fit.z * colour.z
          let refined = (slope * (1 / 255) + fit.w) * Self.gain
          let sureness = min(max((size - Self.unsure) / (Self.sure - Self.unsure), 0), 1)
          output[x] = refined + (logit - refined) * sureness
        }
      }
    }
  }
}
