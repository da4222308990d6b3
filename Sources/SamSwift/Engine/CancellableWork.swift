import Dispatch
import Synchronization

/// Runs blocking work off the cooperative threads, for a task that may be cancelled.
///
/// A cancelled task gets its error at once; the work is told through `isCancelled`, stops at its next
/// question, and its result is dropped.
func withCancellableWork<Value: Sendable>(
  _ work:
    @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(SamSwiftError)
    -> Value
) async throws(SamSwiftError) -> Value {
  let outcome = Outcome<Value>()
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      guard outcome.wait(with: continuation) else { return }
      DispatchQueue.global(qos: .userInitiated).async {
        let result: Result<Value, SamSwiftError>
        do throws(SamSwiftError) {
          result = .success(try work { outcome.isCancelled })
        } catch {
          result = .failure(error)
        }
        outcome.finish(result)
      }
    }
  } onCancel: {
    outcome.cancel()
  }
  return try result.get()
}

/// The meeting point of a waiting task, its work, and its cancellation, whichever comes first.
private final class Outcome<Value: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Result<Value, SamSwiftError>, Never>

  private enum State {
    case idle
    case waiting(Continuation)
    case done
  }

  private let state = Mutex<State>(.idle)
  private let cancelled = Atomic<Bool>(false)

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Keeps the continuation; false where the task was cancelled before and has been answered.
  func wait(with continuation: Continuation) -> Bool {
    let isLate = state.withLock { state in
      if isCancelled {
        state = .done
        return true
      }
      state = .waiting(continuation)
      return false
    }
    if isLate { continuation.resume(returning: .failure(.cancelled)) }
    return !isLate
  }

  func cancel() {
    cancelled.store(true, ordering: .relaxed)
    finish(.failure(.cancelled))
  }

  /// Answers the waiting task; what comes second is dropped.
  func finish(_ result: Result<Value, SamSwiftError>) {
    let continuation: Continuation? = state.withLock { state in
      guard case .waiting(let continuation) = state else { return nil }
      state = .done
      return continuation
    }
    continuation?.resume(returning: result)
  }
}
