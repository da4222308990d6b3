import SamTensor

/// What an image encoder gives the decoder.
package struct ImageFeatures: Sendable {
  /// Embedding: H/16 × W/16 × C.
  package let embedding: FeatureMap
  /// Skip connections at stride 4 (C/8 channels) and stride 8 (C/4), where the model has them.
  package let stride4: FeatureMap?
  package let stride8: FeatureMap?
}

/// An image encoder: a normalised frame with a zero border of 1 in, features out.
protocol ImageEncoder: Sendable {
  /// Encodes a frame of which the picture covers the part `picture`; the rest is zero.
  ///
  /// - Throws: ``ModelError/cancelled`` where `observe` was told to stop.
  func callAsFunction(
    _ frame: FeatureMap, picture: MapExtent, _ context: ComputeContext, observe: StageObserver
  ) throws(ModelError) -> ImageFeatures
}

/// Sees each stage's output, so that tests can name a guilty layer, and stops the work when its owner has had enough.
package struct StageObserver: Sendable {
  private let isCancelled: @Sendable () -> Bool
  private let see: (@Sendable (_ stage: String, _ map: FeatureMap) -> Void)?

  package init(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    see: (@Sendable (_ stage: String, _ map: FeatureMap) -> Void)? = nil
  ) {
    self.isCancelled = isCancelled
    self.see = see
  }

  func callAsFunction(_ stage: String, _ map: FeatureMap) throws(ModelError) {
    see?(stage, map)
    if isCancelled() { throw .cancelled }
  }
}
