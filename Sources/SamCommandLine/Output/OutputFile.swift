import Foundation

/// Writes whole files: beside the target first, then renamed over it, so that whoever looks sees
/// the old file or the new one, and a failure leaves the old one as it was.
package enum OutputFile {
  /// Writes `bytes` to `path`.
  ///
  /// A symbolic link is followed. A device or a pipe (`/dev/null`, `/dev/fd/3`) is written into
  /// instead of replaced. An existing file keeps its permissions.
  ///
  /// - Parameters:
  ///   - bytes: The whole content.
  ///   - path: An absolute path.
  ///   - shown: The path as the user typed it, for messages.
  /// - Throws: ``FileError/unwritable(path:reason:)``.
  package static func write(
    _ bytes: [UInt8], to path: String, shownAs shown: String
  ) throws(FileError) {
    let target = resolved(path)
    try check(target, shownAs: shown)
    var status = stat()
    let exists = stat(target, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      return try writeInto(target, shownAs: shown, bytes)
    }
    let temporary =
      "\(folder(of: target)).samswift-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .writing(shown, error: errno) }
    do throws(FileError) {
      defer { close(descriptor) }
      if exists { fchmod(descriptor, status.st_mode & 0o777) }
      try DescriptorSink(descriptor: descriptor, name: shown).write(bytes)
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, target) == 0 else {
      let code = errno
      unlink(temporary)
      throw .writing(shown, error: code)
    }
  }

  /// Finds out whether a file could be written, without writing it: not where it is a folder, is
  /// write-protected, or lies in a folder that does not exist or takes no new files.
  package static func check(_ path: String, shownAs shown: String) throws(FileError) {
    let target = resolved(path)
    var status = stat()
    if stat(target, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR {
        throw .unwritable(path: shown, reason: "it is a folder")
      }
      guard access(target, W_OK) == 0 else { throw .writing(shown, error: errno) }
      guard status.st_mode & S_IFMT == S_IFREG else { return }
    } else if errno != ENOENT {
      throw .writing(shown, error: errno)
    }
    guard access(String(folder(of: target)), W_OK | X_OK) == 0 else {
      throw .unwritable(path: shown, reason: "its folder: " + FileError.message(errno))
    }
  }

  /// The folder of an absolute path, with its slash.
  private static func folder(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[...$0] } ?? "./"
  }

  private static func writeInto(
    _ target: String, shownAs path: String, _ bytes: [UInt8]
  ) throws(FileError) {
    let descriptor = open(target, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .writing(path, error: errno) }
    defer { close(descriptor) }
    try DescriptorSink(descriptor: descriptor, name: path).write(bytes)
  }

  /// Where the links of an existing path lead; the path itself where there is nothing yet.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
