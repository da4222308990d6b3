import SamSwift

/// `samswift lift IMAGE`: an object taken out of its picture, or made to stand out in it.
package struct LiftCommand: Command {
  static let effect = Option.value(
    "effect", "LIST",
    "What is done, with commas between: highlight (the background dimmed), gray, blur (of the "
      + "background), glow (a luminous outline), sticker (a white border), shimmer (a light that "
      + "travels round the outline, as an animated PNG). Settings follow after colons, such as "
      + "glow:width=4:color=gold:blur=30; see above.")
  static let background = Option.value(
    "background", "WHAT",
    "transparent, picture (the object's own), a colour such as white or #336699, or a picture's "
      + "file. If left out: transparent, or the picture where an effect needs it.")
  static let trim = Option.flag("trim", "Cut the result to the object and what is drawn round it.")
  static let padding = Option.value(
    "padding", "N", "Add this many pixels on every side, after --trim.")
  static let each = Option.flag(
    "each", "Take every --point for an object of its own, and lift them all.")
  static let output = Option.value(
    "output", "FILE", letter: "o",
    "Where the result goes, - for standard output; PNG, or JPEG where nothing is transparent. If "
      + "left out: the picture's name with -lift, in the current folder.")
  static let verbose = Option.flag(
    "verbose", letter: "v", "Say on standard error how long each step took.")

  package static let specification = CommandSpecification(
    name: "lift",
    summary: "Lift the object that you point at out of its picture, or make it stand out.",
    discussion: [
      "Edges are soft, and the object's colours there are freed of the old background.",
      EffectReader.help,
    ],
    arguments: [.init("IMAGE", "A PNG or JPEG file, or - for standard input.")],
    options: [
      PromptOptions.group,
      .init("Result", [effect, background, trim, padding, each, output, verbose]),
      CleanUpOptions.group,
      EmbeddingOption.group,
      ModelOptions.group,
    ],
    examples: [
      .init(
        "The object on transparency, cut to size",
        "samswift lift cat.jpg --point 220,130 --trim -o cat.png"),
      .init(
        "A sticker", "samswift lift cat.jpg --point 220,130 --effect sticker --trim -o sticker.png"),
      .init(
        "The background dimmed, a golden outline",
        "samswift lift cat.jpg --point 220,130 --effect highlight,glow:color=gold -o glow.jpg"),
      .init(
        "On a plain ground with room round it",
        "samswift lift cat.jpg --point 220,130 --trim --padding 20 --background white -o ad.jpg"
      ),
    ])

  let image: String
  let prompt: PromptOptions
  let model: ModelOptions
  let embedding: EmbeddingOption
  let cleanUp: CleanUpOptions
  let effects: EffectReader
  let background: LiftBackground?
  let trim: Bool
  let padding: Int
  let isEach: Bool
  let output: String?
  let isVerbose: Bool

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    image = arguments["IMAGE"]
    prompt = try PromptOptions(arguments)
    try prompt.check(beside: image)
    model = try ModelOptions(arguments)
    embedding = EmbeddingOption(arguments)
    cleanUp = try CleanUpOptions(arguments)
    effects = try EffectReader(arguments.value(Self.effect), of: Self.effect.flag)
    background = arguments.value(Self.background).map(LiftBackground.init)
    trim = arguments.has(Self.trim)
    padding = try arguments.value(Self.padding, .wholeNumber(0...10_000)) ?? 0
    isVerbose = arguments.has(Self.verbose)
    isEach = arguments.has(Self.each)
    if isEach {
      let others = [PromptOptions.exclude, PromptOptions.box, PromptOptions.scribble]
      if let other = others.first(where: arguments.has) {
        throw .conflict("\(Self.each.flag) goes with --point alone. Drop \(other.flag)")
      }
    }
    output = try Self.output(arguments.value(Self.output), image: image)
    try checkFormat()
  }

  /// nil is standard output.
  private static func output(_ typed: String?, image: String) throws(UsageError) -> String? {
    if typed == "-" { return nil }
    guard let typed else {
      return (image == "-" ? "picture" : FileName(image).stem) + "-lift.png"
    }
    let ending = FileName(typed).lowercasedExtension
    guard ["", "png", "jpg", "jpeg"].contains(ending) else {
      throw .conflict("results are PNG or JPEG; .\(ending) is neither. Use .png")
    }
    return typed
  }

  /// Whether the output's name asks for a JPEG.
  var isJPEG: Bool {
    output.map { ["jpg", "jpeg"].contains(FileName($0).lowercasedExtension) } ?? false
  }

  /// What lies behind the object where nothing else was said.
  var defaultBackground: LiftBackground {
    effects.needsBackground ? .picture : .transparent
  }

  private func checkFormat() throws(UsageError) {
    guard isJPEG else { return }
    if effects.shimmer != nil {
      throw .conflict("a JPEG does not move. Give --output a name ending in .png")
    }
    if case .transparent = background ?? defaultBackground {
      throw .conflict(
        "JPEG knows no transparency. Give --output a name ending in .png, or choose a --background")
    }
  }
}
