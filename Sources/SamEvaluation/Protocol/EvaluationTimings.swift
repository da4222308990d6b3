/// Wall-clock time of each kind of work, and how often it was done.
package struct EvaluationTimings: Sendable {
  /// A sum of durations.
  package struct Total: Sendable {
    package private(set) var duration = Duration.zero
    package private(set) var count = 0

    /// The mean; zero where nothing was done.
    package var mean: Duration { count > 0 ? duration / count : .zero }

    mutating func add(_ duration: Duration, count: Int = 1) {
      self.duration += duration
      self.count += count
    }
  }

  /// Reading a photograph and its label map.
  package var read = Total()
  /// Resizing a photograph and encoding it.
  package var encode = Total()
  /// Decoding a prompt, as one of a batch.
  package var prompt = Total()
  /// Making a mask of the decoder's answer, for each quality level.
  package var mask: [Total]
  /// Comparing a mask with the truth and finding the next click, all cores together.
  package var compare = Total()

  init(levels: Int) {
    mask = [Total](repeating: Total(), count: levels)
  }
}
