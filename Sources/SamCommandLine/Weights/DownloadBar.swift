import SamWeightStore
import Synchronization

/// A download as one line: bar, share, bytes, rate and time left.
package final class DownloadBar: Sendable {
  private struct State {
    /// When what had come, over the last seconds; the rate is taken from it.
    var samples: [(time: Double, received: Int)] = []
    var lastDrawn = -1.0
    var lastPhase = DownloadProgress.Phase.waiting
  }

  private let state = Mutex(State())
  private let watch = Stopwatch()
  private let show: @Sendable (String) -> Void

  /// Seconds over which the rate is taken.
  private static let window = 5.0

  package init(show: @escaping @Sendable (String) -> Void) {
    self.show = show
  }

  /// Redraws the line, ten times a second at most.
  func update(_ progress: DownloadProgress) {
    update(progress, at: watch.elapsed.milliseconds / 1000)
  }

  /// Redraws the line as of a time in seconds.
  package func update(_ progress: DownloadProgress, at time: Double) {
    let line = state.withLock { state -> String? in
      if progress.phase != state.lastPhase { state.samples = [] }
      state.samples.append((time, progress.received))
      // One sample older than the window stays, so that the rate spans all of it.
      while state.samples.count > 2, state.samples[1].time < time - Self.window {
        state.samples.removeFirst()
      }
      guard progress.phase != state.lastPhase || time - state.lastDrawn >= 0.1 else { return nil }
      state.lastPhase = progress.phase
      state.lastDrawn = time
      return Self.line(progress, samples: state.samples)
    }
    if let line { show(line) }
  }

  private static func line(
    _ progress: DownloadProgress, samples: [(time: Double, received: Int)]
  ) -> String {
    let (received, total) = (progress.received, progress.total)
    let share = total > 0 ? Double(received) / Double(total) : 0
    let filled = Int(share * 20)
    let bar =
      "[" + String(repeating: "=", count: filled) + String(repeating: " ", count: 20 - filled)
      + "] \(Int(share * 100)) %"
    switch progress.phase {
    case .waiting: return bar + "  another process is downloading it"
    case .checking: return bar + "  checking"
    case .receiving: break
    }
    var text = bar + "  \(byteCount(received)) of \(byteCount(total))"
    if let first = samples.first, let last = samples.last, last.time - first.time >= 0.5 {
      let rate = Double(last.received - first.received) / (last.time - first.time)
      text += "  \(byteCount(max(0, Int(rate))))/s"
      if rate > 0 { text += "  \(timeLeft(Double(total - received) / rate)) left" }
    }
    return text
  }

  private static func timeLeft(_ seconds: Double) -> String {
    let seconds = Int(min(seconds.rounded(.up), 359_999))
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
  }
}
