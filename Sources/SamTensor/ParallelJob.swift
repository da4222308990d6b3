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
    while let index = shares[worker].takeFirst() { body(worker, index) }
    for other in 1..<workers {
      let share = shares[(worker + other) % workers]
      while let index = share.takeLast() { body(worker, index) }
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

  /// The indices of one worker that nobody has taken: its owner takes the first, others the last, so that the owner goes
  /// on where it was.
  private final class Share: Sendable {
    /// The first open index in the upper half, the one after the last in the lower.
    private let open: Atomic<UInt64>

    init(first: Int, end: Int) {
      open = Atomic(UInt64(UInt32(first)) << 32 | UInt64(UInt32(end)))
    }

    func takeFirst() -> Int? {
      take { first, end in (first, open: (first + 1, end)) }
    }

    func takeLast() -> Int? {
      take { first, end in (end - 1, open: (first, end - 1)) }
    }

    private func take(
      _ split: (_ first: UInt64, _ end: UInt64) -> (taken: UInt64, open: (UInt64, UInt64))
    ) -> Int? {
      var range = open.load(ordering: .relaxed)
      while true {
        let (first, end) = (range >> 32, range & 0xFFFF_FFFF)
        guard first < end else { return nil }
        let (taken, left) = split(first, end)
        let (isMine, found) = open.compareExchange(
          expected: range, desired: left.0 << 32 | left.1, ordering: .relaxed)
        if isMine { return Int(taken) }
        range = found
      }
    }
  }
}
