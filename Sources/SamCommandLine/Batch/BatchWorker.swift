import Foundation
import SamSwift

/// Answers requests one after the other with one session.
final class BatchWorker {
  struct Answer {
    let line: String
    let isFailure: Bool
  }

  private let session: SamSession
  private let environment: CommandEnvironment
  /// What the session's picture was made from, so that requests for the same one in a row encode once.
  private var current: Source?

  private struct Source: Equatable {
    let image: FileStamp
    let embedding: FileStamp?
  }

  init(session: SamSession, environment: CommandEnvironment) {
    self.session = session
    self.environment = environment
  }

  /// The answer to a line, whatever it holds.
  func answer(_ line: BatchLine) async -> Answer {
    let watch = Stopwatch()
    do {
      var members = try await members(try line.request.get())
      members.insert(("id", line.id.json), at: 0)
      members.append(("milliseconds", .number(watch.elapsed.milliseconds, digits: 1)))
      return Answer(line: JSONValue.object(members).line, isFailure: false)
    } catch {
      let members = [
        ("id", line.id.json), ("line", .integer(line.number)), ("error", .string("\(error)")),
      ]
      return Answer(line: JSONValue.object(members).line, isFailure: true)
    }
  }

  private func members(
    _ request: BatchRequest
  ) async throws -> [(name: String, value: JSONValue)] {
    let picture = try await open(request)
    var members: [(name: String, value: JSONValue)] = [
      ("image", .string(request.image)), ("width", .integer(picture.width)),
      ("height", .integer(picture.height)),
    ]
    if let file = request.savedEmbedding, let embedding = session.embedding {
      try OutputFile.check(environment.path(file), shownAs: file)
      try embedding.save(to: URL(fileURLWithPath: environment.path(file)))
      members.append(("embedding", .string(file)))
    }
    if let everything = request.everything {
      members += try await answer(everything, picture)
    } else if !request.prompts.isEmpty {
      members.append(("results", try await results(request, picture)))
    }
    return members
  }

  private func open(_ request: BatchRequest) async throws -> PixelImage {
    let source = Source(
      image: FileStamp(environment.path(request.image)),
      embedding: request.embedding.map { FileStamp(environment.path($0)) })
    if source.image.exists, source == current, let picture = session.image { return picture }
    current = nil
    let picture = try PictureFile.read(request.image, in: environment)
    try await EmbeddingOption(file: request.embedding)
      .set(picture, of: session, in: environment)
    current = source
    return picture
  }

  // MARK: Prompts

  private func results(_ request: BatchRequest, _ picture: PixelImage) async throws -> JSONValue {
    var prompts: [SamPrompt] = []
    for prompt in request.prompts {
      for case let file? in [prompt.mask, prompt.cutout, prompt.overlay] {
        try OutputFile.check(environment.path(file), shownAs: file)
      }
      var target = prompt.prompt
      if let file = prompt.scribble {
        target.scribble = try PictureFile.read(file, in: environment)
      }
      prompts.append(target)
    }
    let results = try await session.predict(
      prompts, options: SamPredictOptions(quality: request.quality))
    return .array(
      try zip(request.prompts, results).map { prompt, result in
        try self.result(prompt, result.best, picture)
      })
  }

  private func result(
    _ prompt: BatchPrompt, _ mask: SamMask, _ picture: PixelImage
  ) throws -> JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("score", .number(Double(mask.score), digits: 4)),
      (
        "box",
        mask.boundingBox.map { box in
          .array([box.x0, box.y0, box.x1, box.y1].map { .number($0, digits: 2) })
        } ?? .null
      ),
      ("area", .integer(mask.area)),
    ]
    if prompt.wantsSegmentation {
      let runs = MaskRuns(try mask.atPictureSize().alpha)
      members.append(
        (
          "segmentation",
          .object([
            ("size", .array([.integer(runs.height), .integer(runs.width)])),
            ("counts", .string(runs.compressed)),
          ])
        ))
    }
    let clean = mask.withCleanEdges()
    var files: [String] = []
    if let file = prompt.mask {
      try write(clean.alpha, to: file, &files)
    }
    if let file = prompt.cutout {
      try write(try mask.extractObject(from: picture), to: file, &files)
    }
    if let file = prompt.overlay {
      var painter = OverlayPainter(picture)
      painter.paint(mask: try clean.atPictureSize().alpha)
      painter.paint(prompt.prompt)
      try write(painter.image, to: file, &files)
    }
    if !files.isEmpty { members.append(("files", .array(files.map(JSONValue.string)))) }
    return .object(members)
  }

  // MARK: Everything

  private func answer(
    _ everything: BatchEverything, _ picture: PixelImage
  ) async throws -> [(name: String, value: JSONValue)] {
    for case let file? in [everything.records, everything.labels, everything.overlay] {
      try OutputFile.check(environment.path(file), shownAs: file)
    }
    let options = everything.changes.applied(to: session.everythingOptions)
    let result = try await session.segmentEverything(options: options)
    var members: [(name: String, value: JSONValue)] = [
      ("objects", .integer(result.segments.count))
    ]
    var files: [String] = []
    if let file = everything.records {
      try OutputFile.write(
        Data(result.recordsJSON().utf8), to: environment.path(file), shownAs: file)
      files.append(file)
    } else {
      members.append(("records", .array(try result.records().map(JSONValue.encoded))))
    }
    if let file = everything.labels { try write(result.labelMap(), to: file, &files) }
    if let file = everything.overlay { try write(result.overlay(on: picture), to: file, &files) }
    if !files.isEmpty { members.append(("files", .array(files.map(JSONValue.string)))) }
    return members
  }

  private func write(_ image: PixelImage, to file: String, _ files: inout [String]) throws {
    let encoding = try ImageEncoder.Encoding(forNameOf: URL(fileURLWithPath: file))
    if image.hasAlpha, case .jpeg = encoding {
      throw BatchError.badMember(file, wanted: "a name ending in .png: JPEG has no transparency")
    }
    try OutputFile.write(
      try ImageEncoder.encode(image, as: encoding), to: environment.path(file), shownAs: file)
    files.append(file)
  }
}

/// A file as it was: whether the same name still means the same bytes.
private struct FileStamp: Equatable {
  let path: String
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int
  private let node: UInt

  init(_ path: String) {
    self.path = path
    var status = stat()
    guard stat(path, &status) == 0 else {
      (size, seconds, nanoseconds, node) = (-1, 0, 0, 0)
      return
    }
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
    node = UInt(status.st_ino)
  }

  var exists: Bool { size >= 0 }
}
