import SamImageIO

/// One mask of a picture: alpha, score, and the logits to refine it.
public struct SamMask: Sendable {
  /// The network's estimate of the mask's IoU with the true object, 0...1.
  public let score: Float

  /// The decoder's grid, to be fed back as a prompt's `maskInput`.
  public let logits: SamLogits

  /// 8-bit gray: `round(255 · sigmoid(logit))`; 128 and above is inside.
  public let alpha: PixelImage

  /// Width of the picture that the mask belongs to, in pixels.
  public let imageWidth: Int

  /// Height of the picture that the mask belongs to, in pixels.
  public let imageHeight: Int

  /// Pixels of the picture that one pixel of `alpha` is wide and high.
  package let pixelWidth: Double
  package let pixelHeight: Double

  init(
    score: Float, logits: SamLogits, alpha: PixelImage, imageWidth: Int, imageHeight: Int,
    pixelWidth: Double, pixelHeight: Double
  ) {
    self.score = score
    self.logits = logits
    self.alpha = alpha
    self.imageWidth = imageWidth
    self.imageHeight = imageHeight
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
  }

  /// Columns of `alpha`; the picture's own width only at quality `accurate`.
  public var width: Int { alpha.width }

  /// Rows of `alpha`.
  public var height: Int { alpha.height }
}
