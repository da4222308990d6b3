import Dispatch
import Foundation
import Synchronization

/// The one place that starts threads.
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
  package static func run(
    _ count: Int, threads: Int, body: @Sendable (_ worker: Int, _ index: Int) -> Void
  ) {
    let workers = min(threads, count)
    guard workers > 1 else {
      for index in 0..<max(count, 0) { body(0, index) }
      return
    }
    let next = Counter()
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      while true {
        let index = next.take()
        guard index < count else { return }
        body(worker, index)
      }
    }
  }

  private final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func take() -> Int {
      value.wrappingAdd(1, ordering: .relaxed).oldValue
    }
  }
}
