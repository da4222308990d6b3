import Dispatch
import Synchronization

/// One loop whose indices several threads take.
final class ParallelJob: Sendable {
  /// Threads that may work on it, its caller included.
  let workers: Int
  private let shares: [Share]
  /// Only between ``init(count:workers:body:)`` and ``finish()``: it does not outlive the caller's closure.
  nonisolated(unsafe) private var body: ((_ worker: Int, _ index: Int) -> Void)?
  /// Threads at work, the caller included.
  private let active = Atomic<Int>(1)
  private let isDone = DispatchSemaphore(value: 0)

  init(
    count: Int, workers: Int, body: @escaping @Sendable (_ worker: Int, _ index: Int) -> Void
  ) {
    self.workers = workers
    self.body = body
    shares = (0..<workers).map {
      Share(first: $0 * count / workers, end: ($0 + 1) * count / workers)
    }
  }

  /// Announces one more thread; only while the job is on the pool's list.
  func enter() {
    active.wrappingAdd(1, ordering: .relaxed)
  }

  /// Takes indices until none is left: the worker's own, then the others'.
  ///
  /// Not inlined, so that nothing of the closure is held once it returns.
  @inline(never)
  func work(as worker: Int) {
    guard let body else { return }
    for turn in 0..<workers {
      let share = shares[(worker + turn) % workers]
      while let index = share.take() { body(worker, index) }
    }
  }

  /// The last thing that a helping thread does.
  func leave() {
    if active.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
      isDone.signal()
    }
  }

  /// The last thing that the caller does, with the job off the pool's list: waits for the helping threads.
  func finish() {
    if active.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue > 0 {
      // They have at most one index each to end.
      let patience = SpinWait()
      while active.load(ordering: .acquiring) > 0 && patience.goesOn() {}
      isDone.wait()
    }
    body = nil
  }

  /// The indices of one worker.
  private final class Share: Sendable {
    private let next: Atomic<Int>
    private let end: Int

    init(first: Int, end: Int) {
      next = Atomic(first)
      self.end = end
    }

    func take() -> Int? {
      // Looked at first, so that the counter stays below `end` + threads.
      guard next.load(ordering: .relaxed) < end else { return nil }
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      return index < end ? index : nil
    }
  }
}
