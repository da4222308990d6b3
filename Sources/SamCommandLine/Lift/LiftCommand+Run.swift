import Foundation
import SamSwift

extension LiftCommand {
  package func run(in environment: CommandEnvironment) async throws {
    let whole = Stopwatch()
    if let output {
      try OutputFile.check(environment.path(output), shownAs: output)
    } else if environment.outputIsTerminal {
      throw UsageError.conflict(
        "a picture would garble the screen. Give --output a file's name, or pipe standard output on"
      )
    }
    let progress = ProgressLine(environment)
    defer { progress.clear() }
    let options = CutOutOptions(
      background: try (background ?? defaultBackground).resolved(in: environment),
      effects: effects.still, trim: trim, padding: padding)
    let found = try await segment(in: environment, progress)
    let (lift, writing) = try paint(found, options, progress, in: environment)
    progress.clear()
    if let output { try environment.print(output) }
    if found.masks.allSatisfy({ $0.area == 0 }) {
      environment.say("note: nothing was found there; nothing is lifted")
    }
    if isVerbose {
      let steps =
        found.steps + [("lift", lift), ("write", writing), ("total", whole.elapsed)]
      for (name, time) in steps {
        environment.say(SegmentTimings.line(name, time))
      }
    }
  }

  /// The objects, and what they were found in.
  private struct Found {
    let picture: PixelImage
    let masks: [SamMask]
    /// How long each step took.
    let steps: [(name: String, time: Duration)]
  }

  /// Finds the objects; the model's memory is free again when they are lifted.
  private func segment(
    in environment: CommandEnvironment, _ progress: ProgressLine
  ) async throws -> Found {
    let opening = try await Opening(
      image, prompt: prompt, model: model, embedding: embedding, in: environment, progress: progress
    )
    progress.show("Segmenting…")
    let segmenting = Stopwatch()
    let prompts = isEach ? opening.prompt.points.map { SamPrompt(points: [$0]) } : [opening.prompt]
    let results = try await opening.session.predict(
      prompts, options: SamPredictOptions(quality: .accurate))
    let masks = try zip(results, prompts).map { result, prompt in
      try cleanUp.applied(to: result, prompt: prompt).best
    }
    return Found(
      picture: opening.picture, masks: masks,
      steps: [
        ("load", opening.load), ("decode image", opening.decodeImage), ("encode", opening.encode),
        ("segment", segmenting.elapsed),
      ])
  }

  /// Paints and writes the result.
  ///
  /// The frames of a moving picture are written as they are painted, which counts as writing.
  ///
  /// - Returns: How long the two took.
  private func paint(
    _ found: Found, _ options: CutOutOptions, _ progress: ProgressLine,
    in environment: CommandEnvironment
  ) throws -> (lift: Duration, write: Duration) {
    // Numbers out of range are the user's, not the program's.
    do {
      if let shimmer = effects.shimmer {
        progress.show("Lifting and writing…")
        let writing = Stopwatch()
        try write(in: environment) { put in
          try SamMask.writeAnimation(
            from: found.picture, masks: found.masks, shimmer: shimmer, options: options, write: put)
        }
        return (.zero, writing.elapsed)
      }
      progress.show("Lifting…")
      let lifting = Stopwatch()
      let image = try SamMask.extractObject(
        from: found.picture, masks: found.masks, options: options)
      let lift = lifting.elapsed
      progress.show("Writing…")
      let writing = Stopwatch()
      try write(in: environment) { put in
        try put([UInt8](ImageEncoder.encode(image, as: isJPEG ? .jpeg() : .png)))
      }
      return (lift, writing.elapsed)
    } catch SamSwiftError.editing(.invalidOption(let name, let value, let wanted)) {
      throw UsageError.badValue(
        argument: "\(Self.effect.flag): \(EffectReader.setting(name))", value: value,
        wanted: "it must be \(wanted)")
    }
  }

  /// Lets `body` write the output.
  private func write(
    in environment: CommandEnvironment, _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    guard let output else { return try body(environment.output.write) }
    try OutputFile.write(to: environment.path(output), shownAs: output) { file in
      try body { try file.write($0) }
    }
  }
}
