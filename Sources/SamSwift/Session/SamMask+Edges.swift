import SamEditing

extension SamMask {
  /// The mask with clean edges: alpha is 255 inside, 0 outside, and between them only on the line.
  ///
  /// `alpha` says how probable it is that a pixel belongs to the object, and is gray where the network
  /// is unsure; a cut-out wants a decision. What is inside stays inside. Cost: one pass over `alpha`.
  public func withCleanEdges() -> SamMask {
    SamMask(
      score: score, logits: logits, alpha: alpha.sharpened(), imageWidth: imageWidth,
      imageHeight: imageHeight, pixelWidth: pixelWidth, pixelHeight: pixelHeight)
  }
}
