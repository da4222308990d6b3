import SamSwift

/// A picture and a session that holds it.
struct OpenPicture: Sendable {
  let picture: PixelImage
  let session: SamSession
  let load: Duration
  let decodeImage: Duration
  let encode: Duration

  /// Reads and encodes; the weights are read while the picture is decoded.
  ///
  /// `check` looks at the picture before anything is computed; what it throws ends the work.
  init(
    _ image: String, model: ModelOptions, embedding: EmbeddingOption = EmbeddingOption(file: nil),
    in environment: CommandEnvironment, progress: ProgressLine,
    check: (PixelImage) throws -> Void = { _ in }
  ) async throws {
    environment.sayKernelNotice()
    progress.show("Loading \(model.model(in: environment)) and \(image)…")
    async let loading = Self.load(model, in: environment)
    let decoding = Stopwatch()
    picture = try PictureFile.read(image, in: environment)
    decodeImage = decoding.elapsed
    try check(picture)
    (session, load) = try await loading

    progress.show("Encoding \(image)…")
    let encoding = Stopwatch()
    try await embedding.set(picture, of: session, in: environment)
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
