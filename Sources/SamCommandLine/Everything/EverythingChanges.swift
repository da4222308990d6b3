import SamSwift

/// What a user wants otherwise than a model's own options have it.
struct EverythingChanges: Sendable {
  var pointsPerSide: Int?
  var minimumScore: Double?
  var minimumStability: Double?
  var maximumOverlap: Double?
  var cropLayers: Int?
  var minimumArea: Int?

  func applied(to options: SamEverythingOptions) -> SamEverythingOptions {
    var options = options
    options.pointsPerSide = pointsPerSide ?? options.pointsPerSide
    options.scoreThreshold = minimumScore ?? options.scoreThreshold
    options.stabilityThreshold = minimumStability ?? options.stabilityThreshold
    options.boxOverlapLimit = maximumOverlap ?? options.boxOverlapLimit
    options.cropLayers = cropLayers ?? options.cropLayers
    options.minimumRegionArea = minimumArea ?? options.minimumRegionArea
    return options
  }
}
