package import Foundation

/// Writes files so that nobody ever sees half of one.
package enum AtomicFile {
  /// Replaces the file at `url`, or makes it.
  ///
  /// The bytes go to a new file in the same folder and are renamed into place. A
  /// symbolic link keeps pointing where it did; what is no regular file (a terminal, a pipe,
  /// `/dev/null`) is written to directly.
  ///
  /// - Parameters:
  ///   - data: the file's contents.
  ///   - url: a file URL.
  ///   - isSynchronized: whether to wait until the disk has the bytes, so that the file survives a
  ///     power cut at once; it takes milliseconds, and up to a second where the disk is busy.
  /// - Throws: ``ImageIOError/unwritable(file:reason:)``; an existing file is then unchanged.
  package static func write(
    _ data: Data, to url: URL, isSynchronized: Bool = true
  ) throws(ImageIOError) {
    let name = url.path
    guard url.isFileURL else {
      throw .unwritable(file: url.absoluteString, reason: "it is not a file URL")
    }
    var status = stat()
    let exists = stat(name, &status) == 0
    guard exists else {
      return try replace(
        name, with: data, mode: nil, name: name, isSynchronized: isSynchronized)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      throw .unwritable(file: name, reason: "it is a folder")
    case S_IFREG:
      // A rename would replace a file that its owner has protected.
      guard access(name, W_OK) == 0 else { throw failure(name) }
      let target = realpath(name, nil)
      defer { free(target) }
      guard let target else { throw failure(name) }
      try replace(
        String(cString: target), with: data, mode: status.st_mode & 0o7777, name: name,
        isSynchronized: isSynchronized)
    default:
      let descriptor = open(name, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw failure(name) }
      defer { close(descriptor) }
      try write(data, to: descriptor, name: name)
    }
  }

  /// Writes beside `path` and renames; `mode` is what an existing file has.
  private static func replace(
    _ path: String, with data: Data, mode: mode_t?, name: String, isSynchronized: Bool
  ) throws(ImageIOError) {
    let folder = (path as NSString).deletingLastPathComponent
    let (temporary, descriptor) = try makeTemporary(in: folder.isEmpty ? "." : folder, name: name)
    var isFinished = false
    defer {
      if !isFinished { unlink(temporary) }
    }
    do {
      defer { close(descriptor) }
      try write(data, to: descriptor, name: name)
      if let mode, fchmod(descriptor, mode) != 0 { throw failure(name) }
      if isSynchronized, fsync(descriptor) != 0 { throw failure(name) }
    }
    guard rename(temporary, path) == 0 else { throw failure(name) }
    isFinished = true
    guard isSynchronized else { return }
    // The rename is done; that the folder's entry reaches the disk as well is asked, not demanded.
    let folderDescriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
    if folderDescriptor >= 0 {
      _ = fsync(folderDescriptor)
      close(folderDescriptor)
    }
  }

  /// Makes a new file with the rights that the process gives new files.
  private static func makeTemporary(
    in folder: String, name: String
  ) throws(ImageIOError) -> (path: String, descriptor: Int32) {
    while true {
      // A short name of its own: one made from the file's could be too long.
      let path = "\(folder)/.samswift-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (path, descriptor) }
      guard errno == EEXIST else { throw failure(name) }
    }
  }

  private static func write(
    _ data: Data, to descriptor: Int32, name: String
  ) throws(ImageIOError) {
    let code = data.withUnsafeBytes { bytes -> Int32 in
      var done = 0
      while done < bytes.count {
        let wrote = Foundation.write(
          descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if wrote >= 0 {
          done += wrote
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
    guard code == 0 else {
      throw .unwritable(file: name, reason: String(cString: strerror(code)))
    }
  }

  private static func failure(_ name: String) -> ImageIOError {
    .unwritable(file: name, reason: String(cString: strerror(errno)))
  }
}
