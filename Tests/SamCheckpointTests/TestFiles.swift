import Foundation
import SamCheckpoint
import Testing

/// The committed checkpoints.
enum Goldens {
  static func url(_ name: String) -> URL {
    Bundle.module.bundleURL.appendingPathComponent("Goldens").appendingPathComponent(name)
  }
}

/// The bytes of a safetensors file with that header, whatever it says.
func safetensors(_ json: String, data: Int = 0, length: UInt64? = nil) -> [UInt8] {
  let header = Array(json.utf8)
  let count = length ?? UInt64(header.count)
  return (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + header
    + [UInt8](repeating: 1, count: data)
}

/// Expects the same names, shapes, types and bytes.
func expectEqual(
  _ actual: any Checkpoint, _ expected: any Checkpoint,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    actual.tensors.map(\.name) == expected.tensors.map(\.name), sourceLocation: sourceLocation)
  for tensor in expected.tensors {
    guard let other = actual[tensor.name] else { continue }
    #expect(other.shape == tensor.shape, "\(tensor.name)", sourceLocation: sourceLocation)
    #expect(other.type == tensor.type, "\(tensor.name)", sourceLocation: sourceLocation)
    let same = other.withBytes { left in tensor.withBytes { left.elementsEqual($0) } }
    #expect(same, "the bytes of \(tensor.name) differ", sourceLocation: sourceLocation)
  }
}
