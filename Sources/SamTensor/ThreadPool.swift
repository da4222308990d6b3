import CSamShims.Pause
import Dispatch
import Foundation
import Synchronization

/// The one place that starts threads: they wait for ``ParallelJob``s, busily for some microseconds, then asleep.
///
/// An encode is a row of some forty short loops. Waking a sleeping thread for each takes 10 to 30 µs of every loop
/// (measured with `DispatchQueue.concurrentPerform`, which does); a thread that has not yet fallen asleep is there
/// in less than one.
///
/// Callers take part in their own jobs, so that a job ends even where no thread of the pool has time for it: any
/// number of callers, jobs within jobs, more threads wanted than there are.
final class ThreadPool: Sendable {
  static let shared = ThreadPool()

  private struct State {
    /// Open jobs; the caller of each is at work on it.
    var jobs: [Entry] = []
    var threads = 0
    /// Threads that look out for a job or are on their way to: started, awoken, or done with the last one.
    var free = 0
    var sleeping = 0

    /// Workers that the open jobs want and do not have, beyond the free threads.
    var missing: Int {
      max(0, jobs.reduce(-free) { $0 + $1.job.workers - $1.joined })
    }

    /// Gives a free thread to a job that wants one more worker, with the worker's number.
    mutating func join() -> (job: ParallelJob, worker: Int)? {
      guard let i = jobs.firstIndex(where: { $0.joined < $0.job.workers }) else { return nil }
      free -= 1
      jobs[i].joined += 1
      jobs[i].job.enter()
      return (jobs[i].job, jobs[i].joined - 1)
    }
  }

  private struct Entry {
    let job: ParallelJob
    /// Workers that have a number, the caller included.
    var joined = 1
  }

  private let state = Mutex(State())
  /// Changes with every job, for the spinning threads to see.
  private let posted = Atomic<Int>(0)
  private let alarm = DispatchSemaphore(value: 0)
  /// More threads than cores help nobody; but a few are always allowed, so that tests have them anywhere.
  private let mostThreads = max(Parallel.coreCount, 8) - 1

  /// Runs the job on the calling thread and as many others as it wants and the pool can spare.
  func run(_ job: ParallelJob) {
    let (awoken, started) = state.withLock { state in
      state.jobs.append(Entry(job: job))
      posted.wrappingAdd(1, ordering: .relaxed)
      let missing = state.missing
      let awoken = min(missing, state.sleeping)
      state.sleeping -= awoken
      let started = max(0, min(missing - awoken, mostThreads - state.threads))
      state.threads += started
      state.free += awoken + started
      return (awoken, started)
    }
    for _ in 0..<awoken { alarm.signal() }
    for _ in 0..<started { Thread.detachNewThread { self.serve() } }
    job.work(as: 0)
    state.withLock { state in state.jobs.removeAll { $0.job === job } }
    job.finish()
  }

  /// A thread's whole life.
  private func serve() -> Never {
    Thread.current.name = "samswift"
    while true {
      guard let (job, worker) = nextJob() else {
        // Whoever posts a job has already counted us out of the sleeping.
        alarm.wait()
        continue
      }
      job.work(as: worker)
      // Counted before the caller goes on: the next job that it posts would start another thread.
      state.withLock { $0.free += 1 }
      job.leave()
    }
  }

  /// Looks out for a job for a while; nil, counted as asleep, where none came.
  private func nextJob() -> (job: ParallelJob, worker: Int)? {
    let patience = SpinWait()
    var goesOn = true
    while true {
      var seen = 0
      let (found, isOver) = state.withLock { state in
        seen = posted.load(ordering: .relaxed)
        let found = state.join()
        let isOver = found == nil && !goesOn
        if isOver {
          state.free -= 1
          state.sleeping += 1
        }
        return (found, isOver)
      }
      if found != nil || isOver { return found }
      while goesOn && posted.load(ordering: .relaxed) == seen { goesOn = patience.goesOn() }
    }
  }
}

/// A busy wait of some microseconds.
struct SpinWait {
  private static let nanoseconds: UInt64 = 50_000
  private let start = DispatchTime.now().uptimeNanoseconds

  /// Pauses for a moment; false once the time is over.
  func goesOn() -> Bool {
    for _ in 0..<8 { samPause() }
    return DispatchTime.now().uptimeNanoseconds - start < Self.nanoseconds
  }
}
