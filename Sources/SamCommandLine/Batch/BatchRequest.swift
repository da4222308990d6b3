import SamSwift

/// One request: a picture, what to find in it, and what to make of it.
struct BatchRequest: Sendable {
  var image: String
  var embedding: String?
  var savedEmbedding: String?
  var quality: SamQuality
  var prompts: [BatchPrompt]
  var everything: BatchEverything?

  /// Prompts that one line may hold.
  static let mostPrompts = 1000
}

/// What points at one object, and what is wanted of it.
struct BatchPrompt: Sendable {
  var prompt: SamPrompt
  var scribble: String?
  var mask: String?
  var cutout: String?
  var overlay: String?
  var wantsSegmentation: Bool
}

/// Everything-mode for one picture.
struct BatchEverything: Sendable {
  /// Changes a model's own options into the wanted ones.
  var changes: EverythingChanges
  var records: String?
  var labels: String?
  var overlay: String?
}

/// What a request is called: its own name, or the number of its line.
enum BatchID: Sendable, Hashable, Codable {
  case text(String)
  case number(Int)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    }
  }

  var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .integer(number)
    }
  }
}
