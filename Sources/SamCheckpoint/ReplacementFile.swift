#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is written beside its place and moved there when it is complete.
///
/// Whoever opens the path sees the old file or the whole new one. Left unfinished, nothing remains.
final class ReplacementFile {
  private let path: String
  private let temporary: String
  private var descriptor: Int32

  /// Makes an empty file beside `path`, following a link to the file it stands for; an
  /// existing file's permissions stay.
  ///
  /// - Throws: ``CheckpointError/unwritable(file:reason:)``, also where `path` is something other
  ///   than a regular file: renaming would replace a device or a pipe.
  init(path: String) throws(CheckpointError) {
    var status = stat()
    var place = path
    let exists = stat(path, &status) == 0
    if exists {
      guard status.st_mode & S_IFMT == S_IFREG else {
        let kind = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "not a regular file"
        throw .unwritable(file: path, reason: "it is \(kind)")
      }
      if let resolved = realpath(path, nil) {
        place = String(cString: resolved)
        free(resolved)
      }
    }
    self.path = place
    let mark = String(UInt32.random(in: .min ... .max), radix: 36)
    temporary = "\(place).\(getpid())-\(mark).partial"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw .unwritable(file: path, reason: systemMessage(errno))
    }
    if exists { fchmod(descriptor, status.st_mode & 0o777) }
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      unlink(temporary)
    }
  }

  /// Appends bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(CheckpointError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
      if written < 0 {
        if errno == EINTR { continue }
        throw .unwritable(file: path, reason: systemMessage(errno))
      }
      rest = rest.dropFirst(written)
    }
  }

  /// Appends the elements' bytes.
  func write<Element: BitwiseCopyable>(_ elements: [Element]) throws(CheckpointError) {
    try elements.withUnsafeBufferPointer { buffer throws(CheckpointError) in
      try write(UnsafeRawBufferPointer(buffer))
    }
  }

  /// Puts the file in its place, once its bytes are on the disk.
  func finish() throws(CheckpointError) {
    guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
      throw .unwritable(file: path, reason: systemMessage(errno))
    }
    close(descriptor)
    descriptor = -1
  }
}

/// `write(2)`, under a name that a method does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
