import SamTensor
import Synchronization

extension Array where Element: Sendable {
  /// `map` on several threads; the results are in order.
  func concurrentMap<Result: Sendable>(
    threads: Int, _ transform: @Sendable (Element) -> Result
  ) -> [Result] {
    let results = Mutex([Result?](repeating: nil, count: count))
    Parallel.run(count, threads: threads) { index in
      let result = transform(self[index])
      results.withLock { $0[index] = result }
    }
    return results.withLock { $0.compactMap { $0 } }
  }
}
