/// A picture's outlines as a LabelMe file.
///
/// LabelMe's polygons know no holes: they are joined to their piece by cuts without width. The pieces of
/// one object share a group.
public struct LabelMeFile: Sendable, Hashable, Encodable {
  /// One object.
  public struct Object: Sendable, Hashable {
    /// What it is.
    public var label: String
    /// Where it is.
    public var outline: MaskOutline

    /// Labels an outline.
    public init(label: String, outline: MaskOutline) {
      self.label = label
      self.outline = outline
    }
  }

  /// The objects.
  public var objects: [Object]
  /// The picture's file, as LabelMe finds it from its own.
  public var imagePath: String
  /// Width of the picture, in pixels.
  public var imageWidth: Int
  /// Height of the picture, in pixels.
  public var imageHeight: Int

  /// Describes the objects of a picture.
  public init(objects: [Object], imagePath: String, imageWidth: Int, imageHeight: Int) {
    self.objects = objects
    self.imagePath = imagePath
    self.imageWidth = imageWidth
    self.imageHeight = imageHeight
  }

  private enum CodingKeys: String, CodingKey {
    case version, flags, shapes, imagePath, imageData, imageHeight, imageWidth
  }

  private struct Shape: Encodable {
    let label: String
    let points: [[Double]]
    let group: Int?

    private enum CodingKeys: String, CodingKey {
      case label, points, flags
      case group = "group_id"
      case type = "shape_type"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(label, forKey: .label)
      try container.encode(points, forKey: .points)
      try container.encode(group, forKey: .group)
      try container.encode("polygon", forKey: .type)
      try container.encode([String: Bool](), forKey: .flags)
    }
  }

  /// Writes the file; the picture itself is named, not embedded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    // The version of LabelMe whose fields these are.
    try container.encode("5.2.1", forKey: .version)
    try container.encode([String: Bool](), forKey: .flags)
    let shapes = objects.enumerated().flatMap { number, object in
      object.outline.polygons.map { polygon in
        Shape(
          label: object.label, points: polygon.singleRing.map { [$0.x, $0.y] },
          group: object.outline.polygons.count > 1 ? number + 1 : nil)
      }
    }
    try container.encode(shapes, forKey: .shapes)
    try container.encode(imagePath, forKey: .imagePath)
    try container.encodeNil(forKey: .imageData)
    try container.encode(imageHeight, forKey: .imageHeight)
    try container.encode(imageWidth, forKey: .imageWidth)
  }
}
