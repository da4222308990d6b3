/// How long a download is tried.
package struct DownloadPatience: Sendable {
  /// Connections in one call.
  package var attempts = 5
  /// Seconds before connecting again.
  package var pause = 1.0
  /// Seconds without a byte that count as a lost connection.
  package var stall = 30.0
  /// Seconds between two looks at what another process does.
  package var poll = 0.2

  package init() {}
}
