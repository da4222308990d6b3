import SamImageIO

extension SamSession {
  /// The current picture's embedding, to be saved or given to another session; nil without a picture.
  public var embedding: SamEmbedding? {
    encoded.map { SamEmbedding($0.embedding, model: engine.network.configuration.name) }
  }

  /// Makes a picture the current one without running the encoder.
  ///
  /// - Parameters:
  ///   - embedding: What a session of this model computed for the picture.
  ///   - image: The picture as displayed.
  /// - Throws: ``SamSwiftError/embeddingMismatch(reason:)`` where the embedding is of another model
  ///   or of a picture of another size, ``SamSwiftError/embeddingUnusable(file:reason:)`` where its
  ///   file is damaged.
  public func setEmbedding(
    _ embedding: SamEmbedding, image: PixelImage
  ) throws(SamSwiftError) {
    let name = engine.network.configuration.name
    guard embedding.model == name else {
      throw .embeddingMismatch(reason: "it was made by \(embedding.model), this session is \(name)")
    }
    guard embedding.imageWidth == image.width && embedding.imageHeight == image.height else {
      throw .embeddingMismatch(
        reason: """
          it belongs to a picture of \(embedding.imageWidth)×\(embedding.imageHeight) pixels, \
          this one has \(image.width)×\(image.height)
          """)
    }
    encoded = EncodedPicture(
      picture: image, embedding: try embedding.resolved(by: engine.network),
      threads: configuration.threads, timings: SamTimings())
  }
}
