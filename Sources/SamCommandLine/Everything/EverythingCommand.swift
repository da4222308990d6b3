import Foundation
import SamSwift

/// `samswift everything IMAGE`: all objects of one picture.
package struct EverythingCommand: Command {
  static let output = Option.repeated(
    "output", "FILE", letter: "o",
    "Where a result goes; may be repeated. A name ending in .json: one record for each object, as "
      + "SAM writes them. A PNG whose name holds labels: for each pixel the number of its object. "
      + "Any other PNG or JPEG: the picture with the objects in colours. - or nothing: records on "
      + "standard output.")
  static let plain = Option.flag(
    "plain-counts", "Write run lengths as numbers instead of COCO's compressed text.")
  static let verbose = Option.flag(
    "verbose", letter: "v", "Say on standard error how long each step took.")

  package static let specification = CommandSpecification(
    name: "everything",
    summary: "Find every object of a picture.",
    discussion: [
      "Clicks through a grid of points and keeps each good mask once: the method, the numbers and "
        + "the records of SAM's automatic mask generator."
    ],
    arguments: [.init("IMAGE", "A PNG or JPEG file, or - for standard input.")],
    options: [
      .init("Result", [output, plain, verbose]), EverythingOptions.group, EmbeddingOption.group,
      ModelOptions.group,
    ],
    examples: [
      .init(
        "Records, a label map and a picture to look at, from one run",
        "samswift everything cat.jpg -o cat.json -o cat-labels.png -o cat-everything.png"),
      .init("A quick look: a coarser grid", "samswift everything cat.jpg --points-per-side 8"),
    ])

  let image: String
  let outputs: [EverythingOutput]
  let isPlain: Bool
  let isVerbose: Bool
  let changes: EverythingChanges
  let embedding: EmbeddingOption
  let model: ModelOptions

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    image = arguments["IMAGE"]
    isPlain = arguments.has(Self.plain)
    isVerbose = arguments.has(Self.verbose)
    changes = try EverythingOptions.read(arguments)
    embedding = EmbeddingOption(arguments)
    model = try ModelOptions(arguments)
    var outputs: [EverythingOutput] = []
    for use in arguments.occurrences where use.name == Self.output.name {
      let output = try EverythingOutput(use.value)
      if outputs.contains(where: { $0.file == output.file }) {
        throw .conflict("\(use.value) is given twice as --output")
      }
      outputs.append(output)
    }
    self.outputs = outputs.isEmpty ? [try EverythingOutput("-")] : outputs
  }
}

/// One result of `everything`.
struct EverythingOutput: Sendable {
  enum Kind: Sendable { case records, labels, overlay }

  /// nil is standard output.
  let file: String?
  let kind: Kind
  let isJPEG: Bool

  init(_ typed: String) throws(UsageError) {
    file = typed == "-" ? nil : typed
    let name = FileName(typed)
    switch typed == "-" ? "json" : name.lowercasedExtension {
    case "json": kind = .records
    case "png": kind = name.stem.lowercased().contains("labels") ? .labels : .overlay
    case "jpg", "jpeg":
      kind = .overlay
      if name.stem.lowercased().contains("labels") {
        throw .conflict("a label map in JPEG would lose its numbers. Use a name ending in .png")
      }
    case let other:
      throw .conflict(
        "results are JSON, PNG or JPEG; \(other.isEmpty ? typed : "." + other) is none of them. "
          + "Use .json or .png")
    }
    isJPEG = name.lowercasedExtension.hasPrefix("jp")
  }
}
