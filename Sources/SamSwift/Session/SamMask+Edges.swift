import SamEditing

extension SamMask {
  /// The mask with clean edges: alpha is 255 inside, 0 outside, and between them only on the line.
  ///
  /// `alpha` says how probable it is that a pixel belongs to the object, and is gray where the network
  /// is unsure; a cut-out wants a decision. What is inside stays inside. Cost: one pass over `alpha`.
  public func withCleanEdges() -> SamMask {
    replacing(alpha: alpha.sharpened(loop: .allCores))
  }

  /// The mask with one pixel of `alpha` for each pixel of the picture; smaller ones are enlarged.
  public func atPictureSize() throws(SamSwiftError) -> SamMask {
    do {
      return SamMask(
        score: score, logits: logits,
        alpha: try AlphaLayer.union(
          [layer], width: imageWidth, height: imageHeight, loop: .allCores),
        imageWidth: imageWidth, imageHeight: imageHeight, pixelWidth: 1, pixelHeight: 1)
    } catch { throw .editing(error) }
  }

  /// The same mask with other pixels.
  func replacing(alpha: PixelImage) -> SamMask {
    SamMask(
      score: score, logits: logits, alpha: alpha, imageWidth: imageWidth,
      imageHeight: imageHeight, pixelWidth: pixelWidth, pixelHeight: pixelHeight)
  }
}
