import Foundation

/// The answers of earlier runs: which requests they hold, and where further answers are appended.
///
/// The file is locked as long as the object lives, so that two runs do not mix their lines.
final class BatchLedger: ByteSink {
  private let descriptor: Int32
  private let name: String
  private let ids: Set<BatchID>

  /// Opens or makes the file; removes a last line that was cut off.
  ///
  /// - Throws: ``FileError/unwritable(path:reason:)`` for a file that holds anything but answers; it
  ///   stays as it is.
  init(_ typed: String, in environment: CommandEnvironment) throws(FileError) {
    name = typed
    descriptor = open(environment.path(typed), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .writing(typed, error: errno) }
    do throws(FileError) {
      // A device may have no end, and a pipe no place to go back to.
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw .unwritable(path: typed, reason: "it is not a regular file")
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw .unwritable(path: typed, reason: "another process is writing it")
      }
      ids = try Self.repaired(descriptor, typed)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit {
    close(descriptor)
  }

  /// Whether the file answers a request.
  func holds(_ id: BatchID) -> Bool { ids.contains(id) }

  func write(_ bytes: [UInt8]) throws(FileError) {
    try DescriptorSink(descriptor: descriptor, name: name).write(bytes)
  }

  /// Reads all answers; cuts off what follows the last whole one.
  private static func repaired(
    _ descriptor: Int32, _ name: String
  ) throws(FileError) -> Set<BatchID> {
    var ids: Set<BatchID> = []
    var end = 0
    var number = 0
    var lines = BoundedLines(limit: .max) { () throws(FileError) in
      try readSome(descriptor: descriptor, name: name)
    }
    while let line = try lines.next() {
      guard case .text(let bytes, let isTerminated) = line else { continue }
      number += 1
      let id = (try? JSONDecoder().decode(BatchIdentity.self, from: Data(bytes)))?.id
      if let id, isBeginning(bytes) {
        ids.insert(id)
        end += bytes.count + (isTerminated ? 1 : 0)
        // An answer whose line break is missing is whole.
        if !isTerminated { try DescriptorSink(descriptor: descriptor, name: name).write([0x0A]) }
      } else if !isTerminated, isBeginning(bytes) {
        guard ftruncate(descriptor, off_t(end)) == 0 else { throw .writing(name, error: errno) }
      } else {
        throw .unwritable(
          path: name, reason: "line \(number) is no answer of samswift batch")
      }
    }
    return ids
  }

  /// Whether bytes are the beginning of an answer, so that a wrong file is never cut.
  private static func isBeginning(_ bytes: [UInt8]) -> Bool {
    let beginning = Array("{\"id\":".utf8)
    return zip(bytes, beginning).allSatisfy { $0 == $1 }
  }
}
