import SamSwift

/// A picture, what points at an object in it, and a session that holds it: what comes before any result.
struct Opening: Sendable {
  let picture: PixelImage
  let prompt: SamPrompt
  let session: SamSession
  let load: Duration
  let decodeImage: Duration
  let encode: Duration

  /// Reads and encodes; the weights are read while the picture is decoded.
  init(
    _ image: String, prompt: PromptOptions, model: ModelOptions,
    embedding: EmbeddingOption, in environment: CommandEnvironment,
    progress: ProgressLine
  ) async throws {
    let scribble = try prompt.scribbleFile.map { try PictureFile.read($0, in: environment) }
    var target = SamPrompt()
    let open = try await OpenPicture(
      image, model: model, embedding: embedding, in: environment, progress: progress
    ) { picture in
      target = try prompt.resolved(
        width: picture.width, height: picture.height, picture: image, scribble: scribble)
    }
    self.prompt = target
    picture = open.picture
    session = open.session
    load = open.load
    decodeImage = open.decodeImage
    encode = open.encode
  }
}
