#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Opens weights whatever their format, which is told by the content and not by the name.
package enum CheckpointFile {
  /// Opens a safetensors file.
  ///
  /// - Throws: ``CheckpointError``.
  package static func open(_ url: URL) throws(CheckpointError) -> any Checkpoint {
    let file = try MappedFile(path: url.path)
    defer { extendLifetime(file) }
    // A header is JSON: behind its 8 bytes of length an object begins.
    guard file.bytes.count > 8, file.bytes[8] == UInt8(ascii: "{") else {
      throw .unknownFormat(file: file.path, firstBytes: Array(file.bytes.prefix(8)))
    }
    return try SafetensorsFile(file: file)
  }
}
