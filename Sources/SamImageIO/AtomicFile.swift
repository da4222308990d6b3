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
  ///
  /// The new file has no name while it is written, where the file system can do that: a process that
  /// is killed leaves nothing behind.
  private static func replace(
    _ path: String, with data: Data, mode: mode_t?, name: String, isSynchronized: Bool
  ) throws(ImageIOError) {
    let parent = (path as NSString).deletingLastPathComponent
    let folder = parent.isEmpty ? "." : parent
    func fill(_ descriptor: Int32) throws(ImageIOError) {
      try write(data, to: descriptor, name: name)
      if let mode, fchmod(descriptor, mode) != 0 { throw failure(name) }
      if isSynchronized, fsync(descriptor) != 0 { throw failure(name) }
    }
    let temporary: String
    if let path = try makeNameless(in: folder, fill: fill) {
      temporary = path
    } else {
      temporary = try makeNamed(in: folder, name: name, fill: fill)
    }
    guard rename(temporary, path) == 0 else {
      let fault = failure(name)
      unlink(temporary)
      throw fault
    }
    guard isSynchronized else { return }
    // The rename is done; that the folder's entry reaches the disk as well is asked, not demanded.
    let folderDescriptor = open(folder, O_RDONLY | O_CLOEXEC)
    if folderDescriptor >= 0 {
      _ = fsync(folderDescriptor)
      close(folderDescriptor)
    }
  }

  /// Fills a file that gets its name when it is whole.
  ///
  /// - Returns: its path, or nil where the file system or the kernel has no such files.
  private static func makeNameless(
    in folder: String, fill: (Int32) throws(ImageIOError) -> Void
  ) throws(ImageIOError) -> String? {
    #if os(Linux)
      // O_TMPFILE, which is a macro that Swift does not import: a bit of its own and O_DIRECTORY.
      let nameless: Int32 = 0o20_000_000 | O_DIRECTORY
      let descriptor = open(folder, O_WRONLY | O_CLOEXEC | nameless, 0o666)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      try fill(descriptor)
      let path = temporaryPath(in: folder)
      let link = "/proc/self/fd/\(descriptor)"
      return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? path : nil
    #else
      return nil
    #endif
  }

  /// Fills a new file with the rights that the process gives new files; it goes if that fails.
  private static func makeNamed(
    in folder: String, name: String, fill: (Int32) throws(ImageIOError) -> Void
  ) throws(ImageIOError) -> String {
    while true {
      let path = temporaryPath(in: folder)
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        guard errno == EEXIST else { throw failure(name) }
        continue
      }
      defer { close(descriptor) }
      do { try fill(descriptor) } catch {
        unlink(path)
        throw error
      }
      return path
    }
  }

  /// A short name of its own: one made from the file's could be too long.
  private static func temporaryPath(in folder: String) -> String {
    "\(folder)/.samswift-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
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
