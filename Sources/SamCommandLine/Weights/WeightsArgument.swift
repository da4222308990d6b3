import Foundation
import SamWeightStore

/// What the user means by a word that stands for weights.
enum WeightsArgument {
  /// A model of the store.
  case model(CatalogueModel)
  /// Any other file.
  case file(URL)

  /// A model's name, or a file.
  ///
  /// A file of a model's name has to be written with its folder, `./lite`.
  init(_ word: String, in store: WeightStore, environment: CommandEnvironment) {
    if let model = store.models.first(where: { $0.name == word }) {
      self = .model(model)
    } else {
      self = .file(URL(fileURLWithPath: environment.path(word)))
    }
  }

  /// The file that is meant.
  func url(in store: WeightStore) throws(WeightStoreError) -> URL {
    switch self {
    case .model(let model): try store.requireFile(of: model)
    case .file(let url): url
    }
  }

  /// The model of that name; a wrong one is wrong usage.
  static func model(_ name: String, in store: WeightStore) throws(UsageError) -> CatalogueModel {
    guard let model = store.models.first(where: { $0.name == name }) else {
      let names = store.models.map(\.name).joined(separator: ", ")
      throw .badValue(argument: "NAME", value: name, wanted: "it must be one of \(names)")
    }
    return model
  }
}

/// A length for people: `980 bytes`, `52.3 kB`, `40.7 MB`; thousands, not 1024s.
func byteCount(_ bytes: Int) -> String {
  if bytes < 1000 { return "\(bytes) bytes" }
  var value = Double(bytes) / 1000
  for unit in ["kB", "MB", "GB"] {
    if value < 999.95 || unit == "GB" { return fixed(value, digits: 1) + " " + unit }
    value /= 1000
  }
  preconditionFailure("gigabytes are the last unit")
}

extension String {
  /// The text with spaces behind it up to a width, and always one.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
