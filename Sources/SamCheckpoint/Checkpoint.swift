/// Named tensors read from a file, whatever its format.
package protocol Checkpoint: Sendable {
  /// Where it came from, for messages.
  var name: String { get }
  /// Free text from the file's header.
  var metadata: [String: String] { get }
  /// The tensors in order of their names.
  var tensors: [CheckpointTensor] { get }
  /// The tensor of that name, or nil.
  subscript(name: String) -> CheckpointTensor? { get }
}

/// The element types that a checkpoint may hold.
package enum ElementType: String, Sendable, CaseIterable {
  case float32 = "F32"
  case float16 = "F16"
  case bfloat16 = "BF16"
  case int64 = "I64"

  /// Bytes of one element.
  package var width: Int {
    switch self {
    case .float32: 4
    case .float16, .bfloat16: 2
    case .int64: 8
    }
  }
}
