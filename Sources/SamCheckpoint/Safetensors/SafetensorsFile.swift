#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A safetensors file, mapped into memory: F32, F16, BF16 and I64 tensors, and free text.
///
/// Opening reads the header alone and checks all of it; values are read when a tensor is asked for
/// them. The format: 8 bytes of header length, a JSON header, then the tensors' bytes without gaps.
package struct SafetensorsFile: Checkpoint {
  package let name: String
  package let metadata: [String: String]
  package let tensors: [CheckpointTensor]
  private let index: TensorIndex

  /// Opens and checks a file.
  ///
  /// - Throws: ``CheckpointError``, naming the file, the tensor, what was expected and what came.
  package init(url: URL) throws(CheckpointError) {
    try self.init(file: MappedFile(path: url.path))
  }

  init(file: MappedFile) throws(CheckpointError) {
    defer { extendLifetime(file) }
    let header = try SafetensorsHeader(file: file.path, bytes: file.bytes)
    name = file.path
    metadata = header.metadata
    tensors =
      header.entries
      .map {
        CheckpointTensor(
          name: $0.name, shape: $0.shape, type: $0.type, file: file, range: $0.range)
      }
      .sorted { $0.name < $1.name }
    index = TensorIndex(tensors)
  }

  package subscript(name: String) -> CheckpointTensor? {
    index[name].map { tensors[$0] }
  }
}
