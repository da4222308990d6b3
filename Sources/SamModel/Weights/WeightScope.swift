import SamCheckpoint

/// Reads a checkpoint and remembers which keys have been asked for.
final class WeightReader {
  let checkpoint: any Checkpoint
  private var consumed: Set<String> = []

  init(_ checkpoint: any Checkpoint) {
    self.checkpoint = checkpoint
  }

  /// The values of a tensor of exactly that shape, row-major.
  func floats(_ key: String, shape: [Int]) throws(ModelError) -> [Float] {
    let values = try checkpoint.floats(key, shape: shape)
    consumed.insert(key)
    return values
  }

  /// Marks keys that the published checkpoint holds and the network does not use.
  func ignore(where isIgnored: (String) -> Bool) {
    for tensor in checkpoint.tensors where isIgnored(tensor.name) { consumed.insert(tensor.name) }
  }

  /// Throws where the checkpoint holds tensors that no layer asked for.
  func checkAllConsumed() throws(ModelError) {
    let unknown = checkpoint.tensors.map(\.name).filter { !consumed.contains($0) }
    guard unknown.isEmpty else {
      throw .unknownTensors(keys: unknown, checkpoint: checkpoint.name)
    }
  }
}

/// A prefix into a checkpoint: like a working directory for keys.
struct WeightScope {
  let reader: WeightReader
  let prefix: String

  init(_ reader: WeightReader, prefix: String = "") {
    self.reader = reader
    self.prefix = prefix
  }

  /// The scope one level down: `scope["blocks"][0]`.
  subscript(name: String) -> WeightScope { WeightScope(reader, prefix: key(name)) }
  subscript(index: Int) -> WeightScope { self[String(index)] }

  func key(_ name: String) -> String { prefix.isEmpty ? name : "\(prefix).\(name)" }

  func floats(_ name: String, _ shape: Int...) throws(ModelError) -> [Float] {
    try reader.floats(key(name), shape: shape)
  }
}

extension Checkpoint {
  /// The values of a tensor of exactly that shape and of a floating-point type, row-major.
  ///
  /// Integers are refused: weights that were stored as such are quantised or something else entirely.
  func floats(_ key: String, shape: [Int]) throws(ModelError) -> [Float] {
    guard let tensor = self[key] else { throw .missingTensor(key: key, checkpoint: name) }
    guard tensor.shape == shape else {
      throw .wrongShape(key: key, expected: shape, actual: tensor.shape, checkpoint: name)
    }
    guard tensor.type.isFloat else {
      throw .wrongType(
        key: key, expected: ElementType.allCases.filter(\.isFloat), actual: tensor.type,
        checkpoint: name)
    }
    return tensor.floats()
  }
}
