import Foundation
import SamCheckpoint
import SamWeightStore

/// `samswift weights verify NAME`: reads every byte of a file and says whether it is whole.
package struct WeightsVerifyCommand: Command {
  package static let specification = CommandSpecification(
    name: "verify", summary: "Read all of a weights file and check it.",
    discussion: [
      "A model's file must have the SHA-256 of the published one. Of any other file the structure "
        + "is checked, and in a .pt file the checksum of each entry."
    ],
    arguments: [.init("NAME", "A model's name, or a .pt or .safetensors file.")],
    examples: [
      .init("The weights that are part of SamSwift", "samswift weights verify lite")
    ])

  let name: String

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    name = arguments["NAME"]
  }

  package func run(in environment: CommandEnvironment) async throws {
    let store = try WeightStore(variables: environment.variables)
    switch WeightsArgument(name, in: store, environment: environment) {
    case .model(let model):
      let file = try store.verify(model)
      try environment.print("\(file.path): is \(model.name), SHA-256 \(model.checksum)")
    case .file(let url):
      let checkpoint = try CheckpointFile.open(url)
      if let archive = checkpoint as? PyTorchFile {
        let damaged = archive.damagedEntries()
        guard damaged.isEmpty else { throw VerifyFailure(file: name, entries: damaged) }
      }
      let checksum = try SHA256.checksum(path: url.path)
      let known = store.models.first { $0.checksum == checksum }
      let identity = known.map { "is \($0.name)" } ?? "is whole, and none of the known models"
      try environment.print("\(name): \(identity), SHA-256 \(checksum)")
    }
  }
}

/// Entries of an archive whose bytes are not those that were written.
struct VerifyFailure: Error, CustomStringConvertible {
  let file: String
  let entries: [String]

  var description: String {
    let shown = entries.prefix(5).joined(separator: ", ")
    let rest = entries.count > 5 ? " and \(entries.count - 5) more" : ""
    return "\(file): damaged: these entries do not have their checksum: \(shown)\(rest)"
  }
}
