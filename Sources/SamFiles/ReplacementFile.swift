#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is written beside its place and moved there when it is complete.
///
/// Whoever opens the path sees the old file or the whole new one. Left unfinished, nothing remains; where
/// the file system can hold a file without a name, not even if the process is killed.
package final class ReplacementFile {
  /// What a path may name besides a regular file, which is replaced.
  package enum Others: Sendable {
    /// A terminal, a pipe, `/dev/null` are written into, piece by piece.
    case written
    /// They are refused: what is written must be there in one piece.
    case refused
  }

  private enum Place {
    /// Where the file goes, and where it is meanwhile; without a name if nil.
    case file(path: String, temporary: String?)
    case other
  }

  private var place: Place
  private let isSynchronized: Bool
  private var descriptor: Int32 = -1

  /// Makes an empty file beside `path`.
  ///
  /// A symbolic link keeps pointing where it did; an existing file's rights stay, a new one has those
  /// that the process gives.
  ///
  /// - Parameters:
  ///   - path: The file that is made or replaced.
  ///   - others: What is done with a path that names something else than a file.
  ///   - isSynchronized: Whether ``finish()`` waits until the disk has the bytes, so that the file
  ///     survives a power cut at once; it takes milliseconds, and up to a second where the disk is busy.
  /// - Throws: ``FileFault``; nothing has happened then.
  package init(
    path: String, others: Others, isSynchronized: Bool = true
  ) throws(FileFault) {
    self.isSynchronized = isSynchronized
    place = .other
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw FileFault(code: errno) }
      try open(for: Self.target(of: path), mode: nil)
      return
    }
    switch (status.st_mode & S_IFMT, others) {
    case (S_IFDIR, _):
      throw FileFault(reason: "it is a folder")
    case (S_IFREG, _):
      // A rename would replace a file that its owner has protected.
      guard access(path, W_OK) == 0 else { throw FileFault(code: errno) }
      try open(for: Self.target(of: path), mode: status.st_mode & 0o7777)
    case (_, .refused):
      throw FileFault(reason: "it is not a regular file")
    case (_, .written):
      descriptor = systemOpen(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileFault(code: errno) }
    }
  }

  deinit {
    close()
    if case .file(_, let temporary?) = place { unlink(temporary) }
  }

  /// Appends bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let written = systemWrite(descriptor, piece.baseAddress, piece.count)
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        throw FileFault(code: errno)
      }
    }
  }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(FileFault) {
    try bytes.withUnsafeBufferPointer { bytes throws(FileFault) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Writes a whole file; see ``init(path:others:isSynchronized:)``.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to path: String, others: Others, isSynchronized: Bool = true
  ) throws(FileFault) {
    let file = try ReplacementFile(path: path, others: others, isSynchronized: isSynchronized)
    try file.write(bytes)
    try file.finish()
  }

  /// Puts the file in its place; nothing can be written afterwards.
  package func finish() throws(FileFault) {
    guard case .file(let path, let temporary) = place else { return close() }
    if isSynchronized, fsync(descriptor) != 0 { throw FileFault(code: errno) }
    let source: String
    if let temporary {
      source = temporary
    } else {
      source = Self.temporaryPath(in: Self.folder(of: path))
      guard
        linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, source, AT_SYMLINK_FOLLOW) == 0
      else { throw FileFault(code: errno) }
      place = .file(path: path, temporary: source)
    }
    guard rename(source, path) == 0 else { throw FileFault(code: errno) }
    place = .other
    close()
    guard isSynchronized else { return }
    // The rename is done; that the folder's entry reaches the disk as well is asked, not demanded.
    let folder = systemOpen(Self.folder(of: path), O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      _ = fsync(folder)
      _ = systemClose(folder)
    }
  }

  /// Where the links of a path lead, also if there is nothing yet; the path itself if it is no link.
  package static func target(of path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    var path = path
    // As many links as Linux follows.
    for _ in 0..<40 {
      var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let length = readlink(path, &bytes, bytes.count - 1)
      guard length > 0 else { break }
      let link = String(decoding: bytes[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
      path = link.hasPrefix("/") ? link : folder(of: path) + "/" + link
    }
    return path
  }

  /// Opens a new file in the folder of `path`, with the rights `mode` if there is an old one.
  private func open(for path: String, mode: mode_t?) throws(FileFault) {
    let folder = Self.folder(of: path)
    if Self.knowsNamelessFiles {
      // O_TMPFILE, which is a macro that Swift does not import: a bit of its own and O_DIRECTORY.
      descriptor = systemOpen(folder, O_WRONLY | O_CLOEXEC | 0o20_000_000 | O_DIRECTORY, 0o666)
      place = .file(path: path, temporary: nil)
    }
    while descriptor < 0 {
      let temporary = Self.temporaryPath(in: folder)
      descriptor = systemOpen(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        place = .file(path: path, temporary: temporary)
      } else if errno != EEXIST {
        place = .other
        throw FileFault(code: errno)
      }
    }
    if let mode, fchmod(descriptor, mode) != 0 { throw FileFault(code: errno) }
  }

  private func close() {
    if descriptor >= 0 { _ = systemClose(descriptor) }
    descriptor = -1
  }

  /// Whether this system can open a file without a name and give it one later, which takes `/proc`.
  private static let knowsNamelessFiles: Bool = {
    #if os(Linux)
      access("/proc/self/fd", X_OK) == 0
    #else
      false
    #endif
  }()

  /// The folder of a path.
  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A short name of its own: one made from the file's could be too long.
  private static func temporaryPath(in folder: String) -> String {
    "\(folder)/.samswift-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
  }
}

// The C library's functions, under names that methods do not hide.

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
  open(path, flags, mode)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
