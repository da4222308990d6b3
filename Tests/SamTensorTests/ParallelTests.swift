import Foundation
import SamTensor
import Synchronization
import Testing

/// Counts from several threads.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  @discardableResult
  func add(_ amount: Int = 1) -> Int {
    count.wrappingAdd(amount, ordering: .relaxed).newValue
  }
}

struct ParallelTests {
  @Test(arguments: [0, 1, 2, 7, 1000], [1, 2, 3, 16])
  func everyIndexIsVisitedOnce(count: Int, threads: Int) {
    let seen = Mutex([Int](repeating: 0, count: count))
    Parallel.run(count, threads: threads) { index in seen.withLock { $0[index] += 1 } }
    #expect(seen.withLock { $0 } == [Int](repeating: 1, count: count))
  }

  @Test(arguments: [-1, Int.min])
  func aNegativeCountDoesNothing(count: Int) {
    let visits = Counter()
    Parallel.run(count, threads: 4) { _ in visits.add() }
    #expect(visits.value == 0)
  }

  @Test(arguments: [1, 2, 3, 8])
  func aWorkerDoesOneThingAtATime(threads: Int) {
    let busy = (0..<threads).map { _ in Counter() }
    let faults = Counter()
    Parallel.run(500, threads: threads) { worker, _ in
      guard worker < threads else {
        faults.add()
        return
      }
      if busy[worker].add() != 1 { faults.add() }
      if busy[worker].add(-1) != 0 { faults.add() }
    }
    #expect(faults.value == 0)
  }

  /// Index 0 keeps its thread until all others are done, so somebody else must take them.
  @Test func whoIsDoneHelpsTheOthers() {
    let done = Counter()
    Parallel.run(64, threads: 2) { index in
      if index == 0 {
        while done.value < 63 { usleep(100) }
      } else {
        done.add()
      }
    }
    #expect(done.value == 63)
  }

  @Test func manyCallersShareThePool() async {
    let visits = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          for _ in 0..<50 { Parallel.run(9, threads: 4) { _ in visits.add() } }
        }
      }
    }
    #expect(visits.value == 20 * 50 * 9)
  }

  /// The threads fall asleep within a millisecond and are woken again.
  @Test func sleepersWake() {
    let visits = Counter()
    for _ in 0..<20 {
      Parallel.run(40, threads: 3) { _ in visits.add() }
      usleep(2000)
    }
    #expect(visits.value == 800)
  }

  /// The thread that has just done its part of a loop is the one that takes part in the next.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task")))
  func loopsOnTwoThreadsNeedOneMore() async {
    // In a process of its own: other tests share the pool.
    await #expect(processExitsWith: .success) {
      // On a busy machine thousands of loops are over before the other thread begins.
      let helped = Counter()
      while helped.value == 0 {
        Parallel.run(4, threads: 2) { worker, _ in if worker == 1 { helped.add() } }
      }
      for _ in 0..<10_000 { Parallel.run(4, threads: 2) { _ in } }
      let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
      let ours = threads.filter {
        (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "samswift\n"
      }
      #expect(ours.count == 1)
    }
  }

  @Test func aStateGoesFromOneIndexToTheNext() {
    let sum = Counter()
    ComputeContext(threads: 3).parallel(100, scratch: 1, state: { 0 }) { _, _, state in
      state += 1
      sum.add(state)
    }
    // All in one thread would be 5050, every one in a thread of its own 100.
    #expect(sum.value > 100 && sum.value <= 5050)
  }

  @Test func runsMayNest() {
    let visits = Counter()
    Parallel.run(5, threads: 3) { _ in
      Parallel.run(7, threads: 3) { _ in visits.add() }
    }
    #expect(visits.value == 35)
  }

  @Test func thereIsACore() {
    #expect(Parallel.coreCount >= 1)
    #expect(ComputeContext().threads == Parallel.coreCount)
    #expect(ComputeContext(threads: 0).threads == 1)
  }

  @Test(arguments: [1, 2, 3])
  func noTwoThreadsShareScratchMemory(threads: Int) {
    let context = ComputeContext(threads: threads)
    let faults = Counter()
    context.parallel(300, scratch: 33) { index, scratch in
      for i in 0..<33 { scratch[i] = Float(index) }
      for i in 0..<33 where scratch[i] != Float(index) { faults.add() }
    }
    #expect(faults.value == 0)
    context.parallel(0, scratch: 33) { _, _ in faults.add() }
    #expect(faults.value == 0)
  }
}
