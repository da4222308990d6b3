import SamCheckpoint
import SamTensor

extension ImageEmbedding {
  /// What the encoder computed, to be saved: `embedding`, `stride4`, `stride8`, each H × W × C.
  package var tensors: [CheckpointTensor] {
    let maps = [
      ("embedding", features.embedding), ("stride4", features.stride4),
      ("stride8", features.stride8),
    ]
    return maps.compactMap { name, map in
      map.map {
        CheckpointTensor(
          name: name, shape: [$0.height, $0.width, $0.channels], floats: $0.values())
      }
    }
  }
}

extension SegmentationNetwork {
  /// An embedding from what ``ImageEmbedding/tensors`` gave, for a picture of that size.
  ///
  /// - Throws: ``ModelError/missingTensor(key:checkpoint:)``, ``ModelError/wrongShape(key:expected:actual:checkpoint:)``,
  ///   ``ModelError/wrongType(key:expected:actual:checkpoint:)``, ``ModelError/badPicture(reason:)`` for values that are not finite.
  package func embedding(
    from saved: any Checkpoint, imageWidth: Int, imageHeight: Int
  ) throws(ModelError) -> ImageEmbedding {
    let geometry = configuration.geometry(imageWidth: imageWidth, imageHeight: imageHeight)
    let channels = configuration.promptEncoder.dim
    func map(_ name: String, stride: Int, channels: Int) throws(ModelError) -> FeatureMap {
      let shape = [geometry.paddedHeight / stride, geometry.paddedWidth / stride, channels]
      let values = try saved.floats(name, shape: shape)
      guard values.allSatisfy(\.isFinite) else {
        throw .badPicture(reason: "\(saved.name): \(name) holds a value that is no number")
      }
      let map = context.map(height: shape[0], width: shape[1], channels: channels)
      values.withUnsafeBufferPointer { values in
        if let source = values.baseAddress {
          map.buffer.pointer.update(from: source, count: values.count)
        }
      }
      return map
    }
    let embedding = try map(
      "embedding", stride: configuration.embeddingStride, channels: channels)
    let features: ImageFeatures
    switch configuration.encoder {
    case .tinyViT: features = ImageFeatures(embedding: embedding, stride4: nil, stride8: nil)
    case .lite:
      features = ImageFeatures(
        embedding: embedding, stride4: try map("stride4", stride: 4, channels: channels / 8),
        stride8: try map("stride8", stride: 8, channels: channels / 4))
    }
    return makeEmbedding(geometry: geometry, features: features)
  }
}
