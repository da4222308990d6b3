#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A regular file's bytes in memory, read as they are touched; the mapping ends with the object.
///
/// A pointer into `bytes` must not outlive the object. The file must not be cut short while it is
/// mapped; SamSwift replaces its own files by renaming, which leaves a mapping whole.
final class MappedFile: @unchecked Sendable {
  /// The path that the file was opened by, for messages.
  let path: String
  /// The whole file, never written and hence safe to share.
  let bytes: UnsafeRawBufferPointer

  /// Maps the file at `path`.
  ///
  /// - Throws: ``CheckpointError/unreadable(file:reason:)``.
  init(path: String) throws(CheckpointError) {
    self.path = path
    // Without blocking: opening a pipe would wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(file: path, reason: systemMessage(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unreadable(file: path, reason: systemMessage(errno))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .unreadable(file: path, reason: "it is a directory")
    default: throw .unreadable(file: path, reason: "it is not a regular file")
    }
    guard status.st_size > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    let size = Int(status.st_size)
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { throw .unreadable(file: path, reason: systemMessage(errno)) }
    bytes = UnsafeRawBufferPointer(start: start, count: size)
  }

  deinit {
    if let start = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }
}

/// The system's words for an error number.
func systemMessage(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
