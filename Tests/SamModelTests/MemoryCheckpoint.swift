import Foundation
import SamCheckpoint
import SamModel
import Testing

/// A checkpoint in memory: a copy of another one, to be spoiled.
struct MemoryCheckpoint: Checkpoint {
  let name = "spoiled.safetensors"
  var metadata: [String: String]
  private var byName: [String: CheckpointTensor]

  init(_ other: any Checkpoint) {
    metadata = other.metadata
    byName = Dictionary(uniqueKeysWithValues: other.tensors.map { ($0.name, $0) })
  }

  var tensors: [CheckpointTensor] { byName.values.sorted { $0.name < $1.name } }

  subscript(name: String) -> CheckpointTensor? {
    get { byName[name] }
    set { byName[name] = newValue }
  }

  /// Puts zeros of that shape in a tensor's place.
  mutating func reshape(_ name: String, _ shape: [Int]) {
    let count = shape.reduce(1, *)
    byName[name] = CheckpointTensor(
      name: name, shape: shape, floats: [Float](repeating: 0, count: count))
  }

  /// Puts integers of the same shape in a tensor's place.
  mutating func makeIntegers(_ name: String) throws {
    let shape = try #require(byName[name]).shape
    byName[name] = CheckpointTensor(
      name: name, shape: shape, type: .int64,
      bytes: [UInt8](repeating: 0, count: 8 * shape.reduce(1, *)))
  }

  /// Changes one entry of the configuration: `encoder.heads.1`; a nil value removes it.
  mutating func configure(_ path: String, _ value: (any Sendable)?) throws {
    let json = try #require(metadata[NetworkConfiguration.metadataKey])
    let root = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let changed = try Self.replace(root, path.split(separator: ".").map(String.init)[...], value)
    metadata[NetworkConfiguration.metadataKey] = String(
      decoding: try JSONSerialization.data(withJSONObject: changed), as: UTF8.self)
  }

  private static func replace(
    _ node: Any, _ path: ArraySlice<String>, _ value: (any Sendable)?
  ) throws -> Any {
    guard let key = path.first else { return value ?? NSNull() }
    if var list = node as? [Any] {
      let i = try #require(Int(key))
      if path.count == 1, value == nil {
        list.remove(at: i)
      } else {
        list[i] = try replace(list[i], path.dropFirst(), value)
      }
      return list
    }
    var object = try #require(node as? [String: Any], "nothing at \(path)")
    if path.count == 1, value == nil {
      object[key] = nil
    } else {
      object[key] = try replace(object[key] ?? NSNull(), path.dropFirst(), value)
    }
    return object
  }
}
