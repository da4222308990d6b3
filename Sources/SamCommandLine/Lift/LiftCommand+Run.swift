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
    let segment = segmenting.elapsed

    progress.show("Lifting…")
    let lifting = Stopwatch()
    let picture = try paint(masks, of: opening.picture, options)
    let lift = lifting.elapsed

    progress.show("Writing…")
    let writing = Stopwatch()
    let bytes = try picture.encoded(isJPEG: isJPEG)
    if let output {
      try OutputFile.write(bytes, to: environment.path(output), shownAs: output)
    } else {
      try environment.output.write([UInt8](bytes))
    }
    progress.clear()
    if let output { try environment.print(output) }
    if masks.allSatisfy({ $0.area == 0 }) {
      environment.say("note: nothing was found there; nothing is lifted")
    }
    if isVerbose {
      let steps = [
        ("load", opening.load), ("decode image", opening.decodeImage), ("encode", opening.encode),
        ("segment", segment), ("lift", lift), ("write", writing.elapsed), ("total", whole.elapsed),
      ]
      for (name, time) in steps {
        environment.say(SegmentTimings.line(name, time))
      }
    }
  }

  private enum Painted {
    case still(PixelImage)
    case moving(PixelAnimation)

    func encoded(isJPEG: Bool) throws -> Data {
      switch self {
      case .still(let image): try ImageEncoder.encode(image, as: isJPEG ? .jpeg() : .png)
      case .moving(let animation): try ImageEncoder.encode(animation)
      }
    }
  }

  /// Numbers out of range are the user's, not the program's.
  private func paint(
    _ masks: [SamMask], of picture: PixelImage, _ options: CutOutOptions
  ) throws -> Painted {
    do throws(SamSwiftError) {
      if let shimmer = effects.shimmer {
        return .moving(
          try SamMask.animateObject(
            from: picture, masks: masks, shimmer: shimmer, options: options))
      }
      return .still(try SamMask.extractObject(from: picture, masks: masks, options: options))
    } catch .editing(.invalidOption(let name, let value, let wanted)) {
      throw UsageError.badValue(
        argument: "\(Self.effect.flag): \(name)", value: value, wanted: "it must be \(wanted)")
    }
  }
}
