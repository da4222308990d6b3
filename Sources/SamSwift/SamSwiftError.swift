import SamEditing

/// What can go wrong in a session.
public enum SamSwiftError: Error, Equatable, Sendable {
  /// The model's weights cannot be had or used.
  case modelUnavailable(model: String, reason: String)
  /// The picture cannot be read.
  case imageUnreadable(reason: String)
  /// A prompt came before any picture.
  case noImage
  /// The prompt points at nothing, or its numbers cannot be used.
  case invalidPrompt(reason: String)
  /// An option's value is out of its range.
  case invalidOptions(reason: String)
  /// Two pictures that belong together have different shapes.
  case sizeMismatch(wanted: String, actual: String, what: String)
  /// An embedding belongs to another model or picture.
  case embeddingMismatch(reason: String)
  /// A file of embeddings cannot be read or written.
  case embeddingUnusable(file: String, reason: String)
  /// A picture cannot be edited as asked.
  case editing(EditingError)
  /// The caller's task was cancelled.
  case cancelled
}

extension SamSwiftError: CustomStringConvertible {
  /// One line that says what was wanted, what came, and where.
  public var description: String {
    switch self {
    case .modelUnavailable(let model, let reason): "model \(model) cannot be used: \(reason)"
    case .imageUnreadable(let reason): reason
    case .noImage: "a prompt needs a picture: call setImage first"
    case .invalidPrompt(let reason): "the prompt cannot be used: \(reason)"
    case .invalidOptions(let reason): reason
    case .sizeMismatch(let wanted, let actual, let what):
      "\(what): wanted \(wanted), came \(actual)"
    case .embeddingMismatch(let reason): "the embedding cannot be used here: \(reason)"
    case .embeddingUnusable(let file, let reason): "embedding \(file): \(reason)"
    case .editing(let error): "\(error)"
    case .cancelled: "cancelled"
    }
  }
}
