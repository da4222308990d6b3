import Foundation
import SamCheckpoint
import SamWeightStore

/// `samswift weights convert IN OUT`: a checkpoint as safetensors.
package struct WeightsConvertCommand: Command {
  /// The words of `--dtype`.
  enum Format: String, CaseIterable, Sendable {
    case f32, f16, bf16

    var type: ElementType {
      switch self {
      case .f32: .float32
      case .f16: .float16
      case .bf16: .bfloat16
      }
    }
  }

  static let format = Option.value(
    "dtype", "FORMAT",
    "f32, f16 or bf16: round floating-point tensors to it. If left out, every tensor keeps its "
      + "bits.")

  package static let specification = CommandSpecification(
    name: "convert", summary: "Convert weights to safetensors.",
    discussion: [
      "Reads safetensors, and PyTorch's .pt files as data: nothing in them is executed. OUT is "
        + "replaced when the new file is complete."
    ],
    arguments: [
      .init("IN", "A .pt or .safetensors file, or a model's name."),
      .init("OUT", "The safetensors file to write."),
    ],
    options: [.init("Result", [format])],
    examples: [
      .init(
        "PyTorch to safetensors, bit for bit", "samswift weights convert sam.pt sam.safetensors"),
      .init(
        "The same in half the space",
        "samswift weights convert sam.pt half.safetensors --dtype f16"),
    ])

  let input: String
  let output: String
  let format: Format?

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    input = arguments["IN"]
    output = arguments["OUT"]
    format = try arguments.value(Self.format, .word)
  }

  package func run(in environment: CommandEnvironment) async throws {
    let store = try WeightStore(variables: environment.variables)
    let source = try WeightsArgument(input, in: store, environment: environment).url(in: store)
    let target = URL(fileURLWithPath: environment.path(output))
    try WeightConversion.convert(source, to: target, as: format?.type)
    try environment.print(output)
  }
}
