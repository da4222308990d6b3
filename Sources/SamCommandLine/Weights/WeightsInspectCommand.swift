import Foundation
import SamCheckpoint
import SamWeightStore

/// `samswift weights inspect FILE`: what a weights file holds.
package struct WeightsInspectCommand: Command {
  static let json = Option.flag("json", "Print JSON, for another program.")

  package static let specification = CommandSpecification(
    name: "inspect", summary: "List the tensors and the metadata of a weights file.",
    arguments: [.init("FILE", "A .pt or .safetensors file, or a model's name.")],
    options: [.init("Result", [json])],
    examples: [
      .init("Keys, types and shapes of the small model", "samswift weights inspect lite")
    ])

  let file: String
  let wantsJSON: Bool

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    file = arguments["FILE"]
    wantsJSON = arguments.has(Self.json)
  }

  package func run(in environment: CommandEnvironment) async throws {
    let store = try WeightStore(variables: environment.variables)
    let url = try WeightsArgument(file, in: store, environment: environment).url(in: store)
    let checkpoint = try CheckpointFile.open(url)
    let format = checkpoint is PyTorchFile ? "PyTorch" : "safetensors"
    if wantsJSON {
      try environment.print(json(checkpoint, format: format).indented)
      return
    }
    let tensors = checkpoint.tensors
    let width = tensors.map(\.name.count).max() ?? 0
    var lines = tensors.map { tensor in
      tensor.name.padded(to: width + 2) + tensor.type.rawValue.padded(to: 6)
        + (tensor.shape.isEmpty
          ? "scalar" : tensor.shape.map(String.init).joined(separator: "×"))
    }
    lines += checkpoint.metadata.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    let elements = tensors.reduce(0) { $0 + $1.count }
    let bytes = tensors.reduce(0) { $0 + $1.count * $1.type.width }
    lines.append(
      "\(format), \(tensors.count) tensors, \(elements) elements, \(byteCount(bytes))")
    try environment.print(lines.map(Self.printable).joined(separator: "\n"))
  }

  private func json(_ checkpoint: any Checkpoint, format: String) -> JSONValue {
    .object([
      ("file", .string(checkpoint.name)), ("format", .string(format)),
      (
        "metadata",
        .object(
          checkpoint.metadata.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
      ),
      (
        "tensors",
        .array(
          checkpoint.tensors.map { tensor in
            .object([
              ("name", .string(tensor.name)), ("dtype", .string(tensor.type.rawValue)),
              ("shape", .array(tensor.shape.map { .integer($0) })),
            ])
          })
      ),
    ])
  }

  /// A file's text without what could steer a terminal.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format: "\u{FFFD}"
          default: scalar
          }
        }))
  }
}
