import SamSwift

/// `samswift segment IMAGE`: one object of one picture.
package struct SegmentCommand: Command {
  static let quality = Option.value(
    "quality", "LEVEL",
    "accurate (the default): every pixel of the picture, edges refined. balanced: 512 (lite) or "
      + "1024 (mobile-sam) pixels on the long side. fast: a quarter of that.")
  static let output = Option.value(
    "output", "FILE", letter: "o",
    "Where the result goes, - for standard output. If left out: the picture's name with -mask, "
      + "-cutout or -overlay, in the current folder; JSON goes to standard output.")
  static let kind = Option.value(
    "as", "KIND",
    "mask: gray, white on the object. cutout: the object on transparency. overlay: the picture "
      + "with the mask drawn over it. json: score, box, area, candidates, timings, versions. If "
      + "left out, the output's name decides: .json, or a name that holds cutout or overlay; "
      + "otherwise mask.")
  static let all = Option.flag(
    "all", "Write the three readings of an ambiguous prompt, best first: FILE-1, FILE-2, FILE-3.")
  static let soft = Option.flag(
    "soft", "Write each pixel's probability instead of a mask with clean edges.")
  static let verbose = Option.flag(
    "verbose", letter: "v", "Say on standard error how long each step took.")

  package static let specification = CommandSpecification(
    name: "segment",
    summary: "Cut the object that you point at out of a picture.",
    discussion: [
      "Coordinates are those of the picture as it is displayed. The names of the files that were "
        + "written go to standard output, one a line."
    ],
    arguments: [.init("IMAGE", "A PNG or JPEG file, or - for standard input.")],
    options: [
      PromptOptions.group,
      .init("Result", [quality, output, kind, all, soft, verbose]),
      ExportOptions.group,
      CleanUpOptions.group,
      EmbeddingOption.group,
      ModelOptions.group,
    ],
    examples: [
      .init("The mask of what lies at one place", "samswift segment cat.jpg --point 220,130"),
      .init(
        "The object in a box, cut out, without a part that was meant to stay",
        "samswift segment cat.jpg --box 10%,5%,90%,95% --exclude 80%,20% -o cat-cutout.png"),
      .init(
        "Score, box and area for another program",
        "samswift segment cat.jpg --point 50%,50% --as json"),
      .init(
        "Its outline without specks, as a path for a web page",
        "samswift segment cat.jpg --point 50%,50% --min-area 200 --format svg -o cat.svg"),
    ])

  let image: String
  let prompt: PromptOptions
  let model: ModelOptions
  let embedding: EmbeddingOption
  let quality: SamQuality
  let destination: SegmentDestination
  let wantsAll: Bool
  let isSoft: Bool
  let isVerbose: Bool
  let cleanUp: CleanUpOptions
  let export: ExportOptions?

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    image = arguments["IMAGE"]
    prompt = try PromptOptions(arguments)
    try prompt.check(beside: image)
    model = try ModelOptions(arguments)
    embedding = EmbeddingOption(arguments)
    quality = try arguments.value(Self.quality, .word) ?? .accurate
    wantsAll = arguments.has(Self.all)
    if wantsAll, prompt.scribbleFile != nil {
      throw .conflict("a scribble has one reading only. Drop --all")
    }
    isSoft = arguments.has(Self.soft)
    isVerbose = arguments.has(Self.verbose)
    cleanUp = try CleanUpOptions(arguments)
    export = try ExportOptions(arguments)
    let output = arguments.value(Self.output)
    let kind = try arguments.value(Self.kind, .word) as ResultKind?
    let count = wantsAll ? 3 : 1
    guard let export else {
      destination = try SegmentDestination(output: output, kind: kind, image: image, count: count)
      return
    }
    guard kind == nil else {
      throw .conflict("--as and --format exclude each other. Drop one of them")
    }
    destination = try SegmentDestination(
      output: output, exporting: export.format, image: image, count: count)
  }
}
