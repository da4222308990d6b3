import SamEvaluation
import SamSwift

/// `samswift eval FOLDER`: how good a model's masks are.
package struct EvalCommand: Command {
  static let quality = Option.repeated(
    "quality", "LEVEL",
    "fast, balanced or accurate. May be repeated; if left out: balanced, and accurate beside it.")
  static let limit = Option.value(
    "limit", "N", "Take only N of the photographs, drawn at random; all if left out.")
  static let seed = Option.value(
    "seed", "N", "Draw other photographs with another number; 0 if left out.")
  static let against = Option.value(
    "against", "FORMAT",
    "f32 or bf16: ask the same prompts in this format too, and say how far its masks are from "
      + "those of --precision.")
  static let csv = Option.value(
    "csv", "FILE", "Write the table of all objects as CSV, - for standard output.")
  static let json = Option.value(
    "json", "FILE", "Write every mean and the table as JSON, - for standard output.")
  static let sheet = Option.value(
    "sheet", "FILE", "Write a PNG of the worst and best masks after five clicks.")

  package static let specification = CommandSpecification(
    name: "eval",
    summary: "Measure a model on photographs whose objects are known.",
    discussion: [
      "FOLDER holds NAME.jpg, and for each a label map NAME.png of the same size, gray or with a "
        + "palette: 0 is unlabelled, every other value one object. Measured are the objects of 1 % "
        + "to 80 % of their photograph.",
      "Each is pointed at with its tight box, and with clicks: the first at the object's innermost "
        + "point, each next one at the innermost point of the largest error, up to 5, and on to 20 "
        + "until the IoU is 0.8. Masks are compared at the photograph's size. The boundary F-score "
        + "allows 0.8 % of the diagonal.",
    ],
    arguments: [.init("FOLDER", "The photographs and their label maps.")],
    options: [
      .init("What to measure", [quality, limit, seed, against]),
      .init("Result", [csv, json, sheet]),
      ModelOptions.group,
    ],
    examples: [
      .init("The bundled model at two quality levels", "samswift eval photographs"),
      .init(
        "Every object as a table, and the worst and best ones as a picture",
        "samswift eval photographs --quality balanced --csv objects.csv --sheet cases.png"),
      .init(
        "What bfloat16 changes, on five photographs",
        "samswift eval photographs --limit 5 --precision f32 --against bf16"),
    ])

  let folder: String
  let model: ModelOptions
  let against: SamConfiguration.Precision?
  let csv: String?
  let json: String?
  let sheet: String?
  let options: Evaluation.Options

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = arguments["FOLDER"]
    model = try ModelOptions(arguments)
    against = try arguments.value(Self.against, .word)
    csv = arguments.value(Self.csv)
    json = arguments.value(Self.json)
    sheet = arguments.value(Self.sheet)
    var options = Evaluation.Options()
    var qualities: [SamQuality] = []
    for quality in try arguments.values(Self.quality, .word) as [SamQuality]
    where !qualities.contains(quality) {
      qualities.append(quality)
    }
    if !qualities.isEmpty { options.qualities = qualities }
    options.limit = try arguments.value(Self.limit, .wholeNumber(1...1_000_000))
    options.seed = UInt64(
      try arguments.value(Self.seed, .wholeNumber(0...Int.max)) ?? 0)
    if sheet != nil { options.sheetCases = 12 }
    self.options = options
    if csv == "-", json == "-" {
      throw .conflict("--csv - and --json - cannot share standard output. Name a file for one")
    }
    if sheet == "-" { throw .conflict("--sheet takes the name of a PNG file, not standard output") }
  }
}
