import Foundation
import SamSwift

/// The option that spares the encoder, for every command that encodes a picture.
package struct EmbeddingOption: Sendable {
  static let embedding = Option.value(
    "embedding", "FILE",
    "What 'samswift embed' wrote for this picture and model; the encoder is then not run.")

  package static let group = CommandSpecification.OptionGroup("Reuse", [embedding])

  private let file: String?

  package init(_ arguments: ParsedArguments) {
    file = arguments.value(Self.embedding)
  }

  package init(file: String?) {
    self.file = file
  }

  /// Makes a picture the session's: with the embedding of the file, or with one computed now.
  package func set(
    _ picture: PixelImage, of session: SamSession, in environment: CommandEnvironment
  ) async throws(SamSwiftError) {
    guard let file else { return try await session.setImage(picture) }
    let embedding = try SamEmbedding(
      contentsOf: URL(fileURLWithPath: environment.path(file)))
    try session.setEmbedding(embedding, image: picture)
  }
}
