/// One thing to time.
///
/// Setting up is separate, so that a benchmark that is filtered out costs nothing.
struct Benchmark {
  /// `group/model/what/precision/threads`.
  let name: String
  /// Floating-point operations of one iteration, where the figure means something.
  var flop: Double?
  /// Makes what is timed; the closure returns something that depends on the work, so that none of it can be left out.
  let setUp: () throws -> () throws -> Double

  init(_ name: String, flop: Double? = nil, setUp: @escaping () throws -> () throws -> Double) {
    self.name = name
    self.flop = flop
    self.setUp = setUp
  }
}

/// What one benchmark gave.
struct BenchmarkResult: Codable {
  let name: String
  let time: Statistics
  /// Billions of floating-point operations a second, by the median.
  let gflops: Double?
  /// Of this CPU's measured peak on one thread, in percent.
  let peakPercent: Double?
}
