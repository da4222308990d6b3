import SamEditing
import SamImageIO

extension SamMask {
  /// Cuts the object out: the picture's colours with the mask as alpha; RGBA of the picture's size.
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
    for mask in masks
    where mask.imageWidth != image.width || mask.imageHeight != image.height {
      throw .sizeMismatch(
        wanted: "\(mask.imageWidth)×\(mask.imageHeight)", actual: "\(image.width)×\(image.height)",
        what: "the picture to cut an object out of")
    }
    return image.cutOut(
      by: masks.map {
        AlphaLayer(mask: $0.alpha, pixelWidth: $0.pixelWidth, pixelHeight: $0.pixelHeight)
      })
  }
}
