import Foundation
import Synchronization

/// The part of a download that has come, in a file beside its future place.
///
/// Until it is closed, a lock keeps other processes from the same download.
final class PartialFile: Sendable {
  let path: String
  private let state: Mutex<State>

  private struct State {
    var descriptor: Int32
    var lock: Int32
    var size: Int
  }

  /// Opens the part beside `place`, or makes an empty one; nil while somebody else has it.
  ///
  /// - Throws: ``WeightStoreError/unwritable(path:reason:)``.
  init?(beside place: URL) throws(WeightStoreError) {
    let folder = place.deletingLastPathComponent()
    // The lock has a file of its own: the part is renamed, and its name then means another file.
    let lockPath = folder.appendingPathComponent(".\(place.lastPathComponent).lock").path
    let lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard lock >= 0 else { throw .unwritable(path: lockPath, reason: lastSystemError()) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      Foundation.close(lock)
      if code == EWOULDBLOCK || code == EINTR { return nil }
      throw .unwritable(path: lockPath, reason: String(cString: strerror(code)))
    }
    path = place.path + ".partial"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let reason = lastSystemError()
      Foundation.close(lock)
      throw .unwritable(path: path, reason: reason)
    }
    var status = stat()
    let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    state = Mutex(State(descriptor: descriptor, lock: lock, size: size))
  }

  deinit {
    close()
  }

  /// Bytes that are there.
  var size: Int { state.withLock(\.size) }

  /// Adds bytes at the end.
  ///
  /// - Returns: The size with them.
  func append(_ data: Data) throws(WeightStoreError) -> Int {
    try state.withLock { state throws(WeightStoreError) in
      var position = data.startIndex
      while position < data.endIndex {
        let written = data[position...].withUnsafeBytes {
          pwrite(state.descriptor, $0.baseAddress, $0.count, off_t(state.size))
        }
        if written < 0 {
          if errno == EINTR { continue }
          throw .unwritable(path: path, reason: lastSystemError())
        }
        position += written
        state.size += written
      }
      return state.size
    }
  }

  /// Forgets what has come.
  func empty() throws(WeightStoreError) {
    try state.withLock { state throws(WeightStoreError) in
      guard ftruncate(state.descriptor, 0) == 0 else {
        throw .unwritable(path: path, reason: lastSystemError())
      }
      state.size = 0
    }
  }

  /// Gives the file its name, once its bytes are on the disk.
  func rename(to place: URL) throws(WeightStoreError) {
    try state.withLock { state throws(WeightStoreError) in
      guard fsync(state.descriptor) == 0, Foundation.rename(path, place.path) == 0 else {
        throw .unwritable(path: place.path, reason: lastSystemError())
      }
    }
  }

  /// Takes the file away.
  func remove() {
    unlink(path)
  }

  /// Lets others at the file; nothing can be done with it afterwards.
  func close() {
    state.withLock { state in
      guard state.lock >= 0 else { return }
      Foundation.close(state.descriptor)
      Foundation.close(state.lock)
      state.descriptor = -1
      state.lock = -1
    }
  }
}

/// The system's words for what went wrong last.
func lastSystemError() -> String {
  String(cString: strerror(errno))
}
