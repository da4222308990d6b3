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
