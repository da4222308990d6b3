import Foundation

/// A rectangle on a picture: corner and size from 0 to 1, counted from the lower left corner.
public struct NormalizedRect: Sendable, Hashable, Codable {
  /// The rectangle as a Core Graphics rectangle.
  public let cgRect: CGRect

  /// The lower left corner.
  public var origin: CGPoint { cgRect.origin }

  /// The share of the picture's width.
  public var width: CGFloat { cgRect.size.width }

  /// The share of the picture's height.
  public var height: CGFloat { cgRect.size.height }

  /// The whole picture.
  public static let fullImage = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

  /// Creates a rectangle from its lower left corner and its size.
  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
    cgRect = CGRect(x: x, y: y, width: width, height: height)
  }

  /// Creates a rectangle from normalized coordinates.
  public init(normalizedRect: CGRect) {
    cgRect = normalizedRect
  }

  /// Creates a rectangle from pixels of the picture, counted from the lower left corner.
  public init(imageRect: CGRect, in imageSize: CGSize) {
    self.init(
      x: imageRect.origin.x / imageSize.width, y: imageRect.origin.y / imageSize.height,
      width: imageRect.size.width / imageSize.width,
      height: imageRect.size.height / imageSize.height)
  }

  /// Creates a rectangle that is normalized to a part of the picture, from pixels of the whole picture.
  public init(
    imageRect: CGRect, in imageSize: CGSize, normalizedTo regionOfInterest: NormalizedRect
  ) {
    let whole = NormalizedRect(imageRect: imageRect, in: imageSize)
    let region = regionOfInterest.cgRect
    self.init(
      x: (whole.origin.x - region.origin.x) / region.size.width,
      y: (whole.origin.y - region.origin.y) / region.size.height,
      width: whole.width / region.size.width, height: whole.height / region.size.height)
  }

  /// The rectangle in pixels of the picture, counted from the given corner.
  ///
  /// - Parameters:
  ///   - imageSize: The picture's size in pixels.
  ///   - origin: The corner that the result counts from.
  /// - Returns: A rectangle in pixels; its origin is the corner nearest to `origin`.
  public func toImageCoordinates(
    _ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
  ) -> CGRect {
    let rect = origin == .lowerLeft ? self : verticallyFlipped()
    return CGRect(
      x: rect.origin.x * imageSize.width, y: rect.origin.y * imageSize.height,
      width: rect.width * imageSize.width, height: rect.height * imageSize.height)
  }

  /// The rectangle, normalized to a part of the picture, in pixels of the whole picture.
  ///
  /// - Parameters:
  ///   - regionOfInterest: The part of the picture that the rectangle is normalized to.
  ///   - imageSize: The picture's size in pixels.
  ///   - origin: The corner that the result counts from.
  /// - Returns: A rectangle in pixels.
  public func toImageCoordinates(
    from regionOfInterest: NormalizedRect, imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
  ) -> CGRect {
    let region = regionOfInterest.cgRect
    let whole = NormalizedRect(
      x: region.origin.x + cgRect.origin.x * region.size.width,
      y: region.origin.y + cgRect.origin.y * region.size.height,
      width: width * region.size.width, height: height * region.size.height)
    return whole.toImageCoordinates(imageSize, origin: origin)
  }

  /// The rectangle mirrored at the picture's horizontal middle, as if it had been counted from above.
  public func verticallyFlipped() -> NormalizedRect {
    NormalizedRect(
      x: cgRect.origin.x, y: 1 - cgRect.origin.y - height, width: width, height: height)
  }
}

extension NormalizedRect: CustomStringConvertible {
  /// The lower left corner and the size.
  public var description: String { "(\(origin.x), \(origin.y), \(width), \(height))" }
}
