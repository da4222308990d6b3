import Foundation
import SamSwift

/// The options that choose a model and how it computes, for every command that runs one.
package struct ModelOptions: Sendable {
  static let model = Option.value(
    "model", "NAME", "lite (the default, part of SamSwift) or mobile-sam.")
  static let weights = Option.value(
    "weights", "FILE", "A weights file instead of a model's name: safetensors, or MobileSAM's .pt.")
  static let precision = Option.value(
    "precision", "FORMAT", "auto (the default), f32 or bf16: the numbers of matrix products.")
  static let threads = Option.value(
    "threads", "N", "Threads to compute with; all cores if left out.")

  package static let group = CommandSpecification.OptionGroup(
    "Model", [model, weights, precision, threads])

  private let name: SegmentationModel.Bundled
  private let file: String?
  package let configuration: SamConfiguration

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    let named = try arguments.value(Self.model, .word) as SegmentationModel.Bundled?
    file = arguments.value(Self.weights)
    if named != nil, file != nil {
      throw .conflict(
        "--model and --weights exclude each other: a weights file says itself which model it is")
    }
    name = named ?? .lite
    configuration = SamConfiguration(
      threads: try arguments.value(Self.threads, .wholeNumber(1...1024)),
      precision: try arguments.value(Self.precision, .word) ?? .automatic)
  }

  /// The model that was chosen.
  package func model(in environment: CommandEnvironment) -> SegmentationModel {
    guard let file else { return .bundled(name) }
    return .file(URL(fileURLWithPath: environment.path(file)))
  }
}
