/// What can go wrong in building or running a network.
package enum ModelError: Error, Equatable, Sendable {
  /// A key that the network needs is not in the checkpoint.
  case missingTensor(key: String, checkpoint: String)
  /// Keys that no layer asked for.
  case unknownTensors(keys: [String], checkpoint: String)
  /// A tensor has another shape than the layer wants.
  case wrongShape(key: String, expected: [Int], actual: [Int], checkpoint: String)
  /// The checkpoint holds no network that SamSwift knows, or its configuration is out of range.
  case badConfiguration(reason: String, checkpoint: String)
  /// The picture's sizes and pixels do not belong together, or it is empty.
  case badPicture(reason: String)
  /// The prompt cannot be used: not finite, too many points, a previous mask of another size.
  case badPrompt(reason: String)
  /// The caller's task was cancelled.
  case cancelled
}
