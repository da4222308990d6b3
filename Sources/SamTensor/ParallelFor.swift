import Foundation

/// The one place that decides how work is spread over threads.
package enum Parallel {
  /// Cores that this process may run on.
  package static let coreCount = max(1, ProcessInfo.processInfo.activeProcessorCount)

  /// Calls `body(index)` once for each index below `count`, on up to `threads` threads, the caller's included.
  ///
  /// Which thread takes which index is not fixed, so a result must not depend on it.
  package static func run(
    _ count: Int, threads: Int, body: @Sendable (_ index: Int) -> Void
  ) {
    run(count, threads: threads) { _, index in body(index) }
  }

  /// The same; `worker` is below `threads`, and no two calls with the same worker overlap.
  ///
  /// Each worker has its share of neighbouring indices and takes them in order, so that what one operation leaves
  /// in a core's cache is where the next one looks for it. Who is done takes from the others' shares.
  package static func run(
    _ count: Int, threads: Int, body: @Sendable (_ worker: Int, _ index: Int) -> Void
  ) {
    let workers = min(threads, count)
    guard workers > 1 else {
      for index in 0..<max(count, 0) { body(0, index) }
      return
    }
    withoutActuallyEscaping(body) { body in
      ThreadPool.shared.run(ParallelJob(count: count, workers: workers, body: body))
    }
  }
}
