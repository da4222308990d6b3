/// How ``SamSession/segmentEverything(options:progress:)`` looks for objects, and which it keeps.
///
/// The names and defaults are those of SAM's automatic mask generator.
public struct SamEverythingOptions: Sendable, Hashable {
  /// Points along each side of the grid that is clicked through, 1...256.
  public var pointsPerSide: Int

  /// Points that are decoded together, 1...4096; the masks do not depend on it.
  public var pointsPerBatch: Int

  /// Masks with a predicted IoU of this or less are dropped; at 0 or below none is.
  public var scoreThreshold: Double

  /// Masks less stable than this are dropped; at 0 or below none is.
  ///
  /// Stability is the IoU of a mask cut at the logit `stabilityOffset` and at its negative.
  public var stabilityThreshold: Double

  /// How far the two cuts of the stability lie from the logit 0, at least 0.
  public var stabilityOffset: Double

  /// Of two masks whose boxes overlap with an IoU above this, the one with the lower score is dropped.
  public var boxOverlapLimit: Double

  /// How often the picture is cut up finer: layer n is `4ⁿ` crops, each encoded on its own; 0...4.
  public var cropLayers: Int

  /// Likewise `boxOverlapLimit` between masks of different crops; masks of smaller crops win.
  public var cropOverlapLimit: Double

  /// The share of the picture's short side by which the first layer's crops overlap, 0..<1.
  public var cropOverlapRatio: Double

  /// Layer n has `pointsPerSide ÷ thisⁿ` points a side; 1...16.
  public var cropPointsDownscale: Int

  /// Holes and islands of fewer pixels than this are filled and removed; 0 leaves masks as they are.
  public var minimumRegionArea: Int

  /// Creates options.
  public init(
    pointsPerSide: Int = 32, pointsPerBatch: Int = 64, scoreThreshold: Double = 0.88,
    stabilityThreshold: Double = 0.95, stabilityOffset: Double = 1, boxOverlapLimit: Double = 0.7,
    cropLayers: Int = 0, cropOverlapLimit: Double = 0.7, cropOverlapRatio: Double = 512 / 1500,
    cropPointsDownscale: Int = 1, minimumRegionArea: Int = 0
  ) {
    self.pointsPerSide = pointsPerSide
    self.pointsPerBatch = pointsPerBatch
    self.scoreThreshold = scoreThreshold
    self.stabilityThreshold = stabilityThreshold
    self.stabilityOffset = stabilityOffset
    self.boxOverlapLimit = boxOverlapLimit
    self.cropLayers = cropLayers
    self.cropOverlapLimit = cropOverlapLimit
    self.cropOverlapRatio = cropOverlapRatio
    self.cropPointsDownscale = cropPointsDownscale
    self.minimumRegionArea = minimumRegionArea
  }

  /// What suits SamSwift Lite.
  ///
  /// Its scores are honest estimates and its logits soft, both far below SAM's: on held-out photographs
  /// these thresholds keep about fifteen masks of a picture. Speckles of its masks are cleaned up.
  public static let lite = SamEverythingOptions(
    scoreThreshold: 0.4, stabilityThreshold: 0.3, minimumRegionArea: 100)
}
