import Foundation

/// Runs what the options choose and reports it.
struct BenchRun {
  let options: BenchOptions

  init(_ options: BenchOptions) {
    self.options = options
  }

  func start() throws(BenchError) {
    let all =
      NetworkBenchmarks.all() + MaskBenchmarks.all() + EverythingBenchmarks.all()
      + ProcessBenchmarks.all()
      + EditingBenchmarks.all() + KernelBenchmarks.all()
    let chosen = all.filter { options.includes($0.name) }
    guard !chosen.isEmpty else {
      throw .usage(
        "no benchmark's name contains any of: \(options.filters.joined(separator: ", "))")
    }
    if options.listsOnly {
      for benchmark in chosen { print(benchmark.name) }
      return
    }
    let environment = BenchEnvironment(isQuick: options.isQuick)
    talk(environment.description)
    talk(row("benchmark", "median ms", "p90 ms", "min ms", "spread", "GFLOP/s", "peak"))
    var results: [BenchmarkResult] = []
    for benchmark in chosen {
      let result = try measure(benchmark, peak: environment.peakGFLOPS)
      results.append(result)
      talk(
        row(
          result.name, fixed(result.time.medianMs, 3), fixed(result.time.p90Ms, 3),
          fixed(result.time.minMs, 3), fixed(result.time.spreadPercent, 0) + " %",
          result.gflops.map { fixed($0, 1) } ?? "",
          result.peakPercent.map { fixed($0, 0) + " %" } ?? ""))
    }
    try write(BenchReport(environment: environment, results: results))
  }

  private func measure(
    _ benchmark: Benchmark, peak: Double
  ) throws(BenchError) -> BenchmarkResult {
    do {
      let work = try benchmark.setUp()
      let clock = ContinuousClock()
      var times: [Double] = []
      if !options.isQuick { Barrier.consume(try work()) }
      let begin = clock.now
      let minimum = options.isQuick ? 1 : 5
      repeat {
        let start = clock.now
        Barrier.consume(try work())
        times.append((clock.now - start).milliseconds)
      } while times.count < minimum
        || (!options.isQuick && (clock.now - begin).milliseconds < 1000 * options.seconds)
      let time = Statistics(times)
      let gflops = benchmark.flop.map { $0 / time.medianMs / 1e6 }
      return BenchmarkResult(
        name: benchmark.name, time: time, gflops: gflops,
        peakPercent: gflops.map { 100 * $0 / peak })
    } catch {
      throw .failed("\(benchmark.name): \(error)")
    }
  }

  /// The table: on standard output, unless that is where the JSON goes.
  private func talk(_ line: String) {
    let handle = options.json == "-" ? FileHandle.standardError : FileHandle.standardOutput
    handle.write(Data((line + "\n").utf8))
  }

  private func row(_ name: String, _ columns: String...) -> String {
    name.padding(toLength: max(46, name.count), withPad: " ", startingAt: 0)
      + columns.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
  }

  private func fixed(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }

  private func write(_ report: BenchReport) throws(BenchError) {
    guard let path = options.json else { return }
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let data = try encoder.encode(report) + Data("\n".utf8)
      if path == "-" {
        FileHandle.standardOutput.write(data)
      } else {
        try data.write(to: URL(fileURLWithPath: path), options: .atomic)
      }
    } catch {
      throw .failed("cannot write \(path): \(error)")
    }
  }
}

/// What `--json` writes.
struct BenchReport: Codable {
  let environment: BenchEnvironment
  let results: [BenchmarkResult]
}

/// Keeps results alive without timing what is done with them.
enum Barrier {
  nonisolated(unsafe) private static var sink = 0.0

  @inline(never)
  static func consume(_ value: Double) { sink = value }
}

extension Duration {
  var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) * 1e-15
  }
}
