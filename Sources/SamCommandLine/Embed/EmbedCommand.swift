import Foundation
import SamSwift

/// `samswift embed IMAGE -o FILE`: what the encoder knows about a picture, for later commands.
package struct EmbedCommand: Command {
  static let output = Option.value(
    "output", "FILE", letter: "o",
    "Where the embedding goes. If left out: the picture's name with .embedding.safetensors, in the "
      + "current folder.")

  package static let specification = CommandSpecification(
    name: "embed",
    summary: "Encode a picture once, for many prompts later.",
    discussion: [
      "The file belongs to the picture and to the model; the commands that take --embedding refuse "
        + "it for any other. It takes 1 MB (lite) or 4 MB (mobile-sam)."
    ],
    arguments: [.init("IMAGE", "A PNG or JPEG file, or - for standard input.")],
    options: [.init("Result", [output]), ModelOptions.group],
    examples: [
      .init(
        "A file that spares later commands the encoder",
        "samswift embed cat.jpg -o cat.safetensors")
    ])

  let image: String
  let output: String
  let model: ModelOptions

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    image = arguments["IMAGE"]
    model = try ModelOptions(arguments)
    let stem = image == "-" ? "picture" : FileName(image).stem
    output = arguments.value(Self.output) ?? stem + ".embedding.safetensors"
    if output == "-" {
      throw .conflict("an embedding is read from a file. Give --output a file's name instead of -")
    }
  }

  package func run(in environment: CommandEnvironment) async throws {
    try OutputFile.check(environment.path(output), shownAs: output)
    let progress = ProgressLine(environment)
    defer { progress.clear() }
    let open = try await OpenPicture(image, model: model, in: environment, progress: progress)
    guard let embedding = open.session.embedding else {
      preconditionFailure("a session without the picture that it was given")
    }
    try embedding.save(to: URL(fileURLWithPath: environment.path(output)))
    progress.clear()
    try environment.print(output)
  }
}
