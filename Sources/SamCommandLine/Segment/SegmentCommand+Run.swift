import Foundation
import SamSwift

extension SegmentCommand {
  package func run(in environment: CommandEnvironment) async throws {
    let whole = Stopwatch()
    var timings = SegmentTimings()
    try checkDestination(in: environment)
    let progress = ProgressLine(environment)
    defer { progress.clear() }

    let opening = try await Opening(
      image, prompt: prompt, model: model, embedding: embedding, in: environment, progress: progress
    )
    timings.load = opening.load
    timings.decodeImage = opening.decodeImage
    timings.encode = opening.encode

    progress.show("Segmenting…")
    let options = SamPredictOptions(quality: quality, multimask: wantsAll)
    guard let found = try await opening.session.predict([opening.prompt], options: options).first
    else { preconditionFailure("a prompt without a result") }
    let result = try cleanUp.applied(to: found, prompt: opening.prompt)
    timings.prompt = result.timings.decodePrompt
    timings.mask = result.timings.renderMask

    progress.show("Writing…")
    let writing = Stopwatch()
    let written = try write(
      result, of: opening.picture, prompt: opening.prompt, timings: timings, in: environment)
    timings.write = writing.elapsed
    progress.clear()
    for file in written { try environment.print(file) }
    if result.best.area == 0 {
      environment.say("note: nothing was found there; the mask is empty")
    }
    if isVerbose {
      for line in timings.lines(total: whole.elapsed) { environment.say(line) }
    }
  }

  /// Finds out early what would be in vain.
  private func checkDestination(in environment: CommandEnvironment) throws {
    for file in destination.files(wantsAll && (export != nil || destination.kind != .json) ? 3 : 1)
    {
      try OutputFile.check(environment.path(file), shownAs: file)
    }
    if destination.file == nil, destination.format != .json, environment.outputIsTerminal {
      throw UsageError.conflict(
        "a picture would garble the screen. Give --output a file's name, or pipe standard output "
          + "on")
    }
  }

  /// - Returns: The files that were written, as the user typed them.
  private func write(
    _ result: SamResult, of picture: PixelImage, prompt: SamPrompt, timings: SegmentTimings,
    in environment: CommandEnvironment
  ) throws -> [String] {
    let contents: [Data]
    if let export {
      contents = try result.masks.map { try export.contents($0, image: image) }
    } else if destination.kind == .json {
      let report = SegmentReport(
        image: image, picture: picture, prompt: prompt, model: model.model(in: environment),
        quality: quality, wantsAll: wantsAll, result: result, timings: timings)
      contents = [Data((report.json.indented + "\n").utf8)]
    } else {
      contents = try result.masks.map { try encode($0, of: picture, prompt: prompt) }
    }
    let files = destination.files(contents.count)
    if files.isEmpty {
      for bytes in contents { try environment.output.write([UInt8](bytes)) }
      return []
    }
    for (file, bytes) in zip(files, contents) {
      try OutputFile.write(bytes, to: environment.path(file), shownAs: file)
    }
    return files
  }

  private func encode(
    _ mask: SamMask, of picture: PixelImage, prompt: SamPrompt
  ) throws -> Data {
    let mask = isSoft ? mask : mask.withCleanEdges()
    let encoding: ImageEncoder.Encoding = destination.format == .jpeg ? .jpeg() : .png
    switch destination.kind {
    case .mask:
      return try ImageEncoder.encode(mask.alpha, as: encoding)
    case .cutout:
      return try ImageEncoder.encode(
        mask.extractObject(from: picture, options: cutOutOptions), as: encoding)
    case .overlay, .json:
      var painter = OverlayPainter(picture)
      painter.paint(mask: try mask.atPictureSize().alpha)
      painter.paint(prompt)
      return try ImageEncoder.encode(painter.image, as: encoding)
    }
  }

  /// Soft cut-outs show the probabilities and the picture's pixels as they are.
  private var cutOutOptions: CutOutOptions {
    isSoft ? CutOutOptions(edgeReach: 0, cleanEdges: false) : CutOutOptions()
  }
}
