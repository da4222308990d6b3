import SamCheckpoint

/// What can go wrong in building or running a network.
package enum ModelError: Error, Equatable, Sendable {
  /// A key that the network needs is not in the checkpoint.
  case missingTensor(key: String, checkpoint: String)
  /// Keys that no layer asked for.
  case unknownTensors(keys: [String], checkpoint: String)
  /// A tensor has another shape than the layer wants.
  case wrongShape(key: String, expected: [Int], actual: [Int], checkpoint: String)
  /// A tensor holds no floating-point numbers.
  case wrongType(key: String, expected: [ElementType], actual: ElementType, checkpoint: String)
  /// The checkpoint holds no network that SamSwift knows, or its configuration is out of range; the reason is a
  /// clause that names the entry, its value and the range.
  case badConfiguration(reason: String, checkpoint: String)
  /// The picture's sizes and pixels do not belong together, or it is empty; the reason is a clause with both.
  case badPicture(reason: String)
  /// The prompt cannot be used: not finite, too many points, a previous mask of another size; the reason is a
  /// clause that names the point or box and its numbers.
  case badPrompt(reason: String)
  /// The caller's task was cancelled.
  case cancelled
}

extension ModelError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missingTensor(let key, let checkpoint):
      "\(checkpoint): tensor \"\(key)\" is missing; the network needs it"
    case .unknownTensors(let keys, let checkpoint):
      "\(checkpoint): the network has no layer for \(Self.list(keys))"
    case .wrongShape(let key, let expected, let actual, let checkpoint):
      "\(checkpoint): tensor \"\(key)\" has the shape \(actual), the network needs \(expected)"
    case .wrongType(let key, let expected, let actual, let checkpoint):
      "\(checkpoint): tensor \"\(key)\" has elements of type \(actual.rawValue), the network needs "
        + expected.map(\.rawValue).joined(separator: ", ")
    case .badConfiguration(let reason, let checkpoint):
      "\(checkpoint): \(reason)"
    case .badPicture(let reason):
      "the picture cannot be used: \(reason)"
    case .badPrompt(let reason):
      "the prompt cannot be used: \(reason)"
    case .cancelled:
      "cancelled"
    }
  }

  /// The first three keys, and how many more there are.
  private static func list(_ keys: [String]) -> String {
    let named = keys.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
    let what = keys.count == 1 ? "tensor" : "tensors"
    return "\(what) \(named)" + (keys.count > 3 ? " and \(keys.count - 3) more" : "")
  }
}
