/// The shape of an annotation in COCO's format.
public enum COCOSegmentation: Sendable, Hashable, Encodable {
  /// Run lengths as compressed text: `{"size": [height, width], "counts": "…"}`. Exact.
  case runLengths(MaskRuns)
  /// Run lengths as numbers: `{"size": [height, width], "counts": [0, 4, …]}`. Exact.
  case plainRunLengths(MaskRuns)
  /// Polygons: `[[x1, y1, x2, y2, …], …]`, one for each piece; holes are joined to it by cuts without
  /// width, since the format knows none.
  case polygons(MaskOutline)

  private enum CodingKeys: String, CodingKey { case size, counts }

  /// Writes the segmentation in COCO's format.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .runLengths(let runs):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode([runs.height, runs.width], forKey: .size)
      try container.encode(runs.compressed, forKey: .counts)
    case .plainRunLengths(let runs):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode([runs.height, runs.width], forKey: .size)
      try container.encode(runs.counts, forKey: .counts)
    case .polygons(let outline):
      var container = encoder.singleValueContainer()
      try container.encode(
        outline.polygons.map { $0.singleRing.flatMap { [$0.x, $0.y] } })
    }
  }
}

/// One object of one picture in COCO's format.
public struct COCOAnnotation: Sendable, Hashable, Encodable {
  /// The annotation's number.
  public var id: Int
  /// The picture's number.
  public var imageID: Int
  /// The category's number.
  public var categoryID: Int
  /// The object's shape.
  public var segmentation: COCOSegmentation
  /// Pixels of the mask, whatever the segmentation's tolerance.
  public var area: Int
  /// x, y, width and height of the mask in pixels.
  public var box: [Int]
  /// How good the network thinks the mask is, 0...1; left out where it is nil.
  public var score: Double?

  /// Describes a mask.
  ///
  /// - Parameters:
  ///   - runs: The mask; it gives area and box.
  ///   - segmentation: The shape to write; nil writes compressed run lengths.
  ///   - id: The annotation's number.
  ///   - imageID: The picture's number.
  ///   - categoryID: The category's number.
  ///   - score: How good the mask is, 0...1.
  public init(
    _ runs: MaskRuns, segmentation: COCOSegmentation? = nil, id: Int = 1, imageID: Int = 1,
    categoryID: Int = 1, score: Double? = nil
  ) {
    self.id = id
    self.imageID = imageID
    self.categoryID = categoryID
    self.segmentation = segmentation ?? .runLengths(runs)
    self.score = score
    area = runs.area
    box = runs.box
  }

  private enum CodingKeys: String, CodingKey {
    case id, segmentation, area, score
    case imageID = "image_id"
    case categoryID = "category_id"
    case box = "bbox"
    case isCrowd = "iscrowd"
  }

  /// Writes the annotation in COCO's format; `iscrowd` is 0.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(imageID, forKey: .imageID)
    try container.encode(categoryID, forKey: .categoryID)
    try container.encode(segmentation, forKey: .segmentation)
    try container.encode(area, forKey: .area)
    try container.encode(box, forKey: .box)
    try container.encode(0, forKey: .isCrowd)
    try container.encodeIfPresent(score, forKey: .score)
  }
}

/// A file in COCO's format.
public struct COCODataset: Sendable, Hashable, Encodable {
  /// A picture of the data set.
  public struct Image: Sendable, Hashable, Encodable {
    /// The picture's number.
    public var id: Int
    /// The picture's file.
    public var fileName: String
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int

    /// Names a picture.
    public init(id: Int = 1, fileName: String, width: Int, height: Int) {
      self.id = id
      self.fileName = fileName
      self.width = width
      self.height = height
    }

    private enum CodingKeys: String, CodingKey {
      case id, width, height
      case fileName = "file_name"
    }
  }

  /// What objects can be.
  public struct Category: Sendable, Hashable, Encodable {
    /// The category's number.
    public var id: Int
    /// The category's name.
    public var name: String

    /// Names a category.
    public init(id: Int = 1, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// The pictures.
  public var images: [Image]
  /// What their objects can be.
  public var categories: [Category]
  /// Their objects.
  public var annotations: [COCOAnnotation]

  /// Gathers a data set.
  public init(images: [Image], categories: [Category], annotations: [COCOAnnotation]) {
    self.images = images
    self.categories = categories
    self.annotations = annotations
  }
}
