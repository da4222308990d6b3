#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Opens weights whatever their format, which is told by the content and not by the name.
package enum CheckpointFile {
  /// Opens a safetensors file or a PyTorch checkpoint.
  ///
  /// - Throws: ``CheckpointError``.
  package static func open(_ url: URL) throws(CheckpointError) -> any Checkpoint {
    let file = try MappedFile(path: url.path)
    defer { extendLifetime(file) }
    if ZipArchive.recognises(file.bytes) { return try PyTorchFile(file: file) }
    // The old format's magic number, a pickled integer.
    guard !file.bytes.starts(with: [0x80, 0x02, 0x8A, 0x0A, 0x6C, 0xFC, 0x9C, 0x46]) else {
      throw .oldPyTorchFormat(file: file.path)
    }
    // A header is JSON: behind its 8 bytes of length an object begins.
    guard file.bytes.count > 8, file.bytes[8] == UInt8(ascii: "{") else {
      throw .unknownFormat(file: file.path, firstBytes: Array(file.bytes.prefix(8)))
    }
    return try SafetensorsFile(file: file)
  }
}
