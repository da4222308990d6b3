import SamImageIO

extension SamSession {
  /// The current picture's embedding, to be saved or given to another session; nil without a picture.
  public var embedding: SamEmbedding? {
    encoded.map { SamEmbedding($0.embedding, of: $0.picture, by: engine.network) }
  }

  /// Makes a picture the current one without running the encoder.
  ///
  /// - Parameters:
  ///   - embedding: What a session of this model computed for the picture.
  ///   - image: The picture as displayed.
  /// - Throws: ``SamSwiftError/embeddingMismatch(reason:)`` where the embedding is of another model
  ///   or picture, ``SamSwiftError/embeddingUnusable(file:reason:)`` where its
  ///   file is damaged.
  public func setEmbedding(
    _ embedding: SamEmbedding, image: PixelImage
  ) throws(SamSwiftError) {
    encoded = EncodedPicture(
      picture: image, embedding: try embedding.resolved(by: engine.network, for: image),
      threads: configuration.threads, timings: SamTimings())
  }
}
