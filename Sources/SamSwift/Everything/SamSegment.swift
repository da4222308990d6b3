import SamEditing

/// One of the objects that ``SamSession/segmentEverything(options:progress:)`` found.
public struct SamSegment: Sendable, Hashable {
  /// The mask at the picture's size.
  public let runs: MaskRuns

  /// Pixels inside.
  public let area: Int

  /// The smallest box round the pixels inside: the outer edges of its first and last pixels.
  public let box: SamBox

  /// The network's estimate of the mask's IoU with the true object, 0...1.
  public let score: Float

  /// How little the mask changes with the threshold, 0...1; 0 for an empty mask.
  public let stability: Float

  /// The click that found it.
  public let point: SamPoint

  /// The part of the picture that was looked at; the whole of it without crops.
  public let crop: SamBox

  package init(
    runs: MaskRuns, area: Int, box: SamBox, score: Float, stability: Float, point: SamPoint,
    crop: SamBox
  ) {
    self.runs = runs
    self.area = area
    self.box = box
    self.score = score
    self.stability = stability
    self.point = point
    self.crop = crop
  }
}

/// Every object of a picture.
public struct SamSegments: Sendable {
  /// The objects, in the order of SAM's generator: the best score first, those of smaller crops before
  /// those of larger ones.
  public let segments: [SamSegment]

  /// Width of the picture, in pixels.
  public let imageWidth: Int

  /// Height of the picture, in pixels.
  public let imageHeight: Int

  /// How long each step took; `decodePrompt` is the time in the decoder, `renderMask` all that follows.
  public let timings: SamTimings

  package init(segments: [SamSegment], imageWidth: Int, imageHeight: Int, timings: SamTimings) {
    self.segments = segments
    self.imageWidth = imageWidth
    self.imageHeight = imageHeight
    self.timings = timings
  }
}

/// How far ``SamSession/segmentEverything(options:progress:)`` has come.
public struct SamEverythingProgress: Sendable, Hashable {
  /// Clicks that have been answered.
  public let points: Int

  /// Clicks in all.
  public let totalPoints: Int

  /// Masks that have passed the filters so far; some will turn out to be the same object.
  public let found: Int

  /// The share that is done, 0...1.
  public var fraction: Double { totalPoints == 0 ? 1 : Double(points) / Double(totalPoints) }
}
