import Foundation
import SamSwift

/// `samswift lift IMAGE`: an object taken out of its picture, or made to stand out in it.
package struct LiftCommand: Command {
  static let effect = Option.value(
    "effect", "LIST", "Effects")
  static let background = Option.value("background", "WHAT", "bg")
  static let trim = Option.flag("trim", "Cut")
  static let padding = Option.value("padding", "N", "Pixels")
  static let output = Option.value("output", "FILE", letter: "o", "Where")
  package static let specification = CommandSpecification(
    name: "lift",
    summary: "Lift the object that you point at out of its picture, or make it stand out.",
    arguments: [.init("IMAGE", "A PNG or JPEG file, or - for standard input.")],
    options: [
      PromptOptions.group,
      .init("Result", [effect, background, trim, padding, output]),
      ModelOptions.group,
    ],
    examples: [
      .init("A sticker", "samswift lift cat.jpg --point 220,130 --effect sticker --trim -o s.png")
    ])
  let image: String
  let prompt: PromptOptions
  let model: ModelOptions
  let effects: [LiftEffect]
  let options: CutOutOptions
  let output: String
  let bg: String?

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    image = arguments["IMAGE"]
    prompt = try PromptOptions(arguments)
    model = try ModelOptions(arguments)
    effects = try arguments.value(Self.effect, .effects) ?? []
    output = arguments.value(Self.output) ?? "lift.png"
    var options = CutOutOptions()
    options.trim = arguments.has(Self.trim)
    options.padding = try arguments.value(Self.padding, .wholeNumber(0...10000)) ?? 0
    bg = arguments.value(Self.background)
    self.options = options
  }

  package func run(in environment: CommandEnvironment) async throws {
    let progress = ProgressLine(environment)
    let opening = try await Opening(image, prompt: prompt, model: model, in: environment, progress: progress)
    let result = try await opening.session.predict([opening.prompt], options: SamPredictOptions(quality: .accurate))[0]
    var options = options
    options.effects = effects.map { switch $0 { case .still(let e): e } }
    if let bg {
      if let c = SamColor(bg) { options.background = .color(c) }
      else if bg == "picture" { options.background = .picture }
      else { options.background = .image(try PictureFile.read(bg, in: environment)) }
    }
    if let r = environment.variables["REACH"] { options.edgeReach = Int(r) }
    let sw = Stopwatch()
    let image = try result.best.extractObject(from: opening.picture, options: options)
    environment.say("\(sw.elapsed.milliseconds)")
    progress.clear()
    try ImageEncoder.write(image, to: URL(fileURLWithPath: environment.path(output)))
    try environment.print(output)
  }
}
