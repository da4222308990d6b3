/// How far a download has come.
package struct DownloadProgress: Sendable, Equatable {
  /// What is being done.
  package enum Phase: Sendable {
    /// Another process downloads the same file; this one waits for it.
    case waiting
    case receiving
    /// All bytes are there and their checksum is computed.
    case checking
  }

  package var phase: Phase
  /// Bytes that are on the disk, those of earlier calls included.
  package var received: Int
  /// Bytes of the whole file.
  package var total: Int

  package init(phase: Phase, received: Int, total: Int) {
    self.phase = phase
    self.received = received
    self.total = total
  }
}
