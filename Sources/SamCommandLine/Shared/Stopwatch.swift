/// Wall-clock time since it was made.
struct Stopwatch: Sendable {
  private let start = ContinuousClock.now

  var elapsed: Duration { ContinuousClock.now - start }
}

extension Duration {
  /// The duration in milliseconds.
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
  }
}
