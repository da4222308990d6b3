#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a file cannot be written.
package struct FileFault: Error, Equatable, Sendable {
  /// A clause without the file's name: “Permission denied”.
  package let reason: String

  init(reason: String) {
    self.reason = reason
  }

  /// The system's word for an error code.
  init(code: Int32) {
    reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
