/// A mask as a GeoJSON feature (RFC 7946): one MultiPolygon in pixels of the picture.
///
/// Tools for large pictures (QuPath, for one) exchange outlines in this form. x grows to the right and y
/// downwards; outer rings turn to the right as seen on the screen, holes to the left, which is
/// RFC 7946's rule for the numbers as they stand. The last point of a ring repeats the first.
public struct GeoJSONFeature: Sendable, Hashable, Encodable {
  /// The outline.
  public var outline: MaskOutline
  /// The feature's properties.
  public var properties: [String: String]

  /// Makes a feature of an outline.
  public init(_ outline: MaskOutline, properties: [String: String] = [:]) {
    self.outline = outline
    self.properties = properties
  }

  private enum CodingKeys: String, CodingKey { case type, geometry, properties }

  private struct Geometry: Encodable {
    let type = "MultiPolygon"
    /// Polygons of rings of points of coordinates.
    let coordinates: [[[[Double]]]]
  }

  /// Writes the feature; an empty mask has no polygons.
  public func encode(to encoder: any Encoder) throws {
    func closed(_ ring: OutlineRing) -> [[Double]] {
      (ring.points + ring.points.prefix(1)).map { [$0.x, $0.y] }
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("Feature", forKey: .type)
    try container.encode(
      Geometry(
        coordinates: outline.polygons.map { polygon in
          [closed(polygon.outer)] + polygon.holes.map(closed)
        }), forKey: .geometry)
    try container.encode(properties, forKey: .properties)
  }
}
