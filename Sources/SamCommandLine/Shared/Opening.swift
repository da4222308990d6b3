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
    _ image: String, prompt: PromptOptions, model: ModelOptions, in environment: CommandEnvironment,
    progress: ProgressLine
  ) async throws {
    progress.show("Loading \(model.model(in: environment)) and \(image)…")
    async let loading = Self.load(model, in: environment)
    let decoding = Stopwatch()
    picture = try PictureFile.read(image, in: environment)
    let scribble = try prompt.scribbleFile.map { try PictureFile.read($0, in: environment) }
    decodeImage = decoding.elapsed
    self.prompt = try prompt.resolved(
      width: picture.width, height: picture.height, picture: image, scribble: scribble)
    (session, load) = try await loading

    progress.show("Encoding \(image)…")
    let encoding = Stopwatch()
    try await session.setImage(picture)
    encode = encoding.elapsed
  }

  private static func load(
    _ model: ModelOptions, in environment: CommandEnvironment
  ) async throws(SamSwiftError) -> (SamSession, Duration) {
    let loading = Stopwatch()
    let session = try SamSession(
      model: model.model(in: environment), configuration: model.configuration)
    return (session, loading.elapsed)
  }
}
