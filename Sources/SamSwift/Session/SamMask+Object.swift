import SamImageIO

extension SamMask {
  /// Cuts the object out: the picture's colours, with the mask as alpha. RGBA, the picture's size.
  ///
  /// - Throws: ``SamSwiftError/sizeMismatch(wanted:actual:what:)`` for a picture of another size.
  public func extractObject(from image: PixelImage) throws(SamSwiftError) -> PixelImage {
    try Self.extractObject(from: image, masks: [self])
  }

  /// Cuts several objects out at once: alpha is the largest of the masks' at each pixel.
  ///
  /// - Throws: ``SamSwiftError/sizeMismatch(wanted:actual:what:)`` for a picture of another size.
  public static func extractObject(
    from image: PixelImage, masks: [SamMask]
  ) throws(SamSwiftError) -> PixelImage {
    fatalError("in progress")
  }
}
