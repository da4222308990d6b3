import Foundation
import SamSwift

extension EverythingCommand {
  package func run(in environment: CommandEnvironment) async throws {
    let whole = Stopwatch()
    for case let file? in outputs.map(\.file) {
      try OutputFile.check(environment.path(file), shownAs: file)
    }
    let progress = ProgressLine(environment)
    defer { progress.clear() }

    let open = try await OpenPicture(
      image, model: model, embedding: embedding, in: environment, progress: progress)
    let picture = open.picture
    var timings = SegmentTimings()
    timings.load = open.load
    timings.decodeImage = open.decodeImage
    timings.encode = open.encode

    let result = try await open.session.segmentEverything(
      options: changes.applied(to: open.session.everythingOptions)
    ) { state in
      progress.show(Self.bar(state))
    }
    timings.prompt = result.timings.decodePrompt
    timings.mask = result.timings.renderMask

    progress.show("Writing…")
    let writing = Stopwatch()
    for output in outputs { try write(result, of: picture, to: output, in: environment) }
    timings.write = writing.elapsed
    progress.clear()
    for case let file? in outputs.map(\.file) { try environment.print(file) }
    if result.segments.isEmpty {
      environment.say(
        "note: no object was found. A lower --min-score or --min-stability keeps more masks")
    }
    if isVerbose {
      environment.say("\(result.segments.count) objects")
      for line in timings.lines(total: whole.elapsed) { environment.say(line) }
    }
  }

  private static func bar(_ progress: SamEverythingProgress) -> String {
    let filled = Int(progress.fraction * 20)
    return "[" + String(repeating: "=", count: filled) + String(repeating: " ", count: 20 - filled)
      + "] \(Int(progress.fraction * 100)) %  \(progress.points) of \(progress.totalPoints) points"
      + "  \(progress.found) masks"
  }

  private func write(
    _ result: SamSegments, of picture: PixelImage, to output: EverythingOutput,
    in environment: CommandEnvironment
  ) throws {
    let bytes =
      switch output.kind {
      case .records: try Data(result.recordsJSON(compressed: !isPlain).utf8)
      case .labels: try ImageEncoder.encode(result.labelMap(), as: .png)
      case .overlay:
        try ImageEncoder.encode(
          result.overlay(on: picture), as: output.isJPEG ? .jpeg() : .png)
      }
    if let file = output.file {
      try OutputFile.write(bytes, to: environment.path(file), shownAs: file)
    } else {
      try environment.output.write([UInt8](bytes))
    }
  }
}
