import Foundation

/// A place that bytes go to: a pipe, a terminal, memory.
package protocol ByteSink: Sendable {
  /// Takes all of the bytes, or throws.
  func write(_ bytes: [UInt8]) throws(FileError)
}

extension ByteSink {
  package func write(_ text: String) throws(FileError) {
    try write(Array(text.utf8))
  }
}

/// An open file descriptor.
struct DescriptorSink: ByteSink {
  let descriptor: Int32
  let name: String

  func write(_ bytes: [UInt8]) throws(FileError) {
    let code = bytes.withUnsafeBytes { buffer -> Int32 in
      var done = 0
      while done < buffer.count {
        let count = Foundation.write(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        if count >= 0 {
          done += count
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
    guard code == 0 else { throw .writing(name, error: code) }
  }
}

/// Reads a descriptor to its end.
func readAll(descriptor: Int32, name: String) throws(FileError) -> [UInt8] {
  var bytes: [UInt8] = []
  while true {
    let chunk = try readSome(descriptor: descriptor, name: name)
    if chunk.isEmpty { return bytes }
    bytes += chunk
  }
}

/// Reads what a descriptor has next; nothing at its end.
func readSome(descriptor: Int32, name: String) throws(FileError) -> [UInt8] {
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    if count >= 0 { return Array(chunk[..<count]) }
    guard errno == EINTR else {
      throw .unreadable(path: name, reason: FileError.message(errno))
    }
  }
}
