import SamSwift

/// The options that say where to look for objects and which to keep.
enum EverythingOptions {
  private static let defaults = SamEverythingOptions()
  private static let lite = SamEverythingOptions.lite

  static let points = Option.value(
    "points-per-side", "N",
    "Clicks along each side of the picture; \(defaults.pointsPerSide) if left out.")
  static let score = Option.value(
    "min-score", "S",
    "The least predicted IoU of a mask, 0 to 1; \(defaults.scoreThreshold) if left out, with lite \(lite.scoreThreshold)."
  )
  static let stability = Option.value(
    "min-stability", "S",
    "The least stability of a mask, 0 to 1; \(defaults.stabilityThreshold) if left out, with lite "
      + "\(lite.stabilityThreshold).")
  static let overlap = Option.value(
    "max-overlap", "S",
    "The most that the boxes of two masks may overlap (IoU), 0 to 1; "
      + "\(defaults.boxOverlapLimit) if left out.")
  static let crops = Option.value(
    "crop-layers", "N",
    "Look again at parts of the picture: 4 with 1 layer, 20 with 2, up to 4 layers. Finds small "
      + "objects, takes as many times as long.")
  static let area = Option.value(
    "min-area", "PIXELS",
    "Fill holes and remove islands smaller than this; \(defaults.minimumRegionArea) if left out, with "
      + "lite \(lite.minimumRegionArea).")

  static let group = CommandSpecification.OptionGroup(
    "What to keep", [points, score, stability, overlap, crops, area])

  static func read(_ arguments: ParsedArguments) throws(UsageError) -> EverythingChanges {
    EverythingChanges(
      pointsPerSide: try arguments.value(points, .wholeNumber(1...256)),
      minimumScore: try arguments.value(score, .number(0...1)),
      minimumStability: try arguments.value(stability, .number(0...1)),
      maximumOverlap: try arguments.value(overlap, .number(0...1)),
      cropLayers: try arguments.value(crops, .wholeNumber(0...4)),
      minimumArea: try arguments.value(area, .wholeNumber(0...Int(Int32.max))))
  }
}
