import Foundation

/// A point on a picture: x and y from 0 to 1, counted from the lower left corner.
public struct NormalizedPoint: Sendable, Hashable, Codable {
  /// The point as a Core Graphics point.
  public let cgPoint: CGPoint

  /// The share of the picture's width, from the left.
  public var x: CGFloat { cgPoint.x }

  /// The share of the picture's height, from the bottom.
  public var y: CGFloat { cgPoint.y }

  /// The lower left corner.
  public static let zero = NormalizedPoint(x: 0, y: 0)

  /// Creates a point from shares of the picture's width and height.
  public init(x: CGFloat, y: CGFloat) {
    cgPoint = CGPoint(x: x, y: y)
  }

  /// Creates a point from normalized coordinates.
  public init(normalizedPoint: CGPoint) {
    cgPoint = normalizedPoint
  }

  /// Creates a point from pixels of the picture, counted from the lower left corner.
  public init(imagePoint: CGPoint, in imageSize: CGSize) {
    self.init(x: imagePoint.x / imageSize.width, y: imagePoint.y / imageSize.height)
  }

  /// Creates a point that is normalized to a part of the picture, from pixels of the whole picture.
  public init(
    imagePoint: CGPoint, in imageSize: CGSize, normalizedTo regionOfInterest: NormalizedRect
  ) {
    let whole = NormalizedPoint(imagePoint: imagePoint, in: imageSize)
    let region = regionOfInterest.cgRect
    self.init(
      x: (whole.x - region.origin.x) / region.size.width,
      y: (whole.y - region.origin.y) / region.size.height)
  }

  /// The point in pixels of the picture, counted from the given corner.
  ///
  /// - Parameters:
  ///   - imageSize: The picture's size in pixels.
  ///   - origin: The corner that the result counts from.
  /// - Returns: A point in pixels.
  public func toImageCoordinates(
    _ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
  ) -> CGPoint {
    let point = origin == .lowerLeft ? self : verticallyFlipped()
    return CGPoint(x: point.x * imageSize.width, y: point.y * imageSize.height)
  }

  /// The point, normalized to a part of the picture, in pixels of the whole picture.
  ///
  /// - Parameters:
  ///   - regionOfInterest: The part of the picture that the point is normalized to.
  ///   - imageSize: The picture's size in pixels.
  ///   - origin: The corner that the result counts from.
  /// - Returns: A point in pixels.
  public func toImageCoordinates(
    from regionOfInterest: NormalizedRect, imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
  ) -> CGPoint {
    let region = regionOfInterest.cgRect
    let whole = NormalizedPoint(
      x: region.origin.x + x * region.size.width, y: region.origin.y + y * region.size.height)
    return whole.toImageCoordinates(imageSize, origin: origin)
  }

  /// The point mirrored at the picture's horizontal middle, as if it had been counted from above.
  public func verticallyFlipped() -> NormalizedPoint {
    NormalizedPoint(x: x, y: 1 - y)
  }
}

extension NormalizedPoint: CustomStringConvertible {
  /// The coordinates.
  public var description: String { "(\(x), \(y))" }
}
