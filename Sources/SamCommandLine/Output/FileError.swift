import Foundation
import SamFiles

/// What can go wrong between a command and the files and pipes that it reads and writes.
package enum FileError: Error, Equatable, Sendable {
  /// A file cannot be read.
  case unreadable(path: String, reason: String)
  /// A file cannot be written; what was there before is untouched.
  case unwritable(path: String, reason: String)
  /// The reader of a pipe has gone: nobody wants the rest.
  case closedPipe

  /// `EPIPE` is a reader that has gone; everything else is a file that cannot be written.
  static func writing(_ path: String, error code: Int32) -> FileError {
    code == EPIPE ? .closedPipe : .unwritable(path: path, reason: message(code))
  }

  init(_ fault: FileFault, path: String) {
    self = .unwritable(path: path, reason: fault.reason.lowercased())
  }

  static func message(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text).lowercased()
  }
}

extension FileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    case .closedPipe: "the reader of standard output has gone"
    }
  }
}
