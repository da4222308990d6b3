import Foundation
import SamFiles

/// The files that a command writes: checked before the work, written whole after it.
package enum OutputFile {
  /// Finds out whether a file could be written, without writing it: not where it is a folder, is
  /// write-protected, or lies in a folder that does not exist or takes no new files.
  package static func check(_ path: String, shownAs shown: String) throws(FileError) {
    let target = ReplacementFile.target(of: path)
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

  /// Writes beside the file's place and renames: it is the old one or the whole new one.
  ///
  /// It does not wait for the disk: what a command computed, it can compute again.
  package static func write(
    _ bytes: Data, to path: String, shownAs shown: String
  ) throws(FileError) {
    do throws(FileFault) {
      try bytes.withUnsafeBytes { bytes in
        Result { () throws(FileFault) in
          try ReplacementFile.write(bytes, to: path, others: .written, isSynchronized: false)
        }
      }.get()
    } catch {
      throw FileError(error, path: shown)
    }
  }

  /// Writes what `body` appends, as ``write(_:to:shownAs:)`` does; nothing if it throws.
  package static func write(
    to path: String, shownAs shown: String, _ body: (ReplacementFile) throws -> Void
  ) throws {
    do {
      let file = try ReplacementFile(path: path, others: .written, isSynchronized: false)
      try body(file)
      try file.finish()
    } catch let fault as FileFault {
      throw FileError(fault, path: shown)
    }
  }

  /// The folder of an absolute path, with its slash.
  private static func folder(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[...$0] } ?? "./"
  }
}
