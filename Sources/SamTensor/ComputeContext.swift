import KernelInterface

/// What a computation runs on: kernels, threads, and memory that is reused between calls.
package final class ComputeContext: Sendable {
  package let kernels: KernelTable
  /// Threads that one operation may use.
  package let threads: Int
  package let pool: BufferPool

  package init(kernels: KernelTable = Kernels.current, threads: Int? = nil) {
    self.kernels = kernels
    self.threads = max(1, threads ?? Parallel.coreCount)
    self.pool = BufferPool()
  }

  /// An uninitialised map; its border, if it has one, is zero.
  package func map(height: Int, width: Int, channels: Int, border: Int = 0) -> FeatureMap {
    let count = FeatureMap.count(
      height: height, width: width, channels: channels, border: border)
    let map = FeatureMap(
      height: height, width: width, channels: channels, border: border, buffer: pool.buffer(count))
    map.clearBorder()
    return map
  }

  /// Calls `body` for each index, on up to `threads` threads; see ``Parallel/run(_:threads:body:)``.
  package func parallel(_ count: Int, _ body: @Sendable (_ index: Int) -> Void) {
    Parallel.run(count, threads: threads, body: body)
  }

  /// The same with `scratch` uninitialised floats for each thread.
  package func parallel(
    _ count: Int, scratch: Int,
    _ body: @Sendable (_ index: Int, _ scratch: UnsafeMutablePointer<Float>) -> Void
  ) {
    parallel(count, scratch: scratch, state: { () }) { index, scratch, _ in body(index, scratch) }
  }

  /// The same with a state for each thread, which goes from one of the thread's indices to its next.
  ///
  /// A thread's indices mostly follow one another, but need not: a result must not depend on the state.
  package func parallel<State>(
    _ count: Int, scratch: Int, state: () -> State,
    _ body:
      @Sendable (
        _ index: Int, _ scratch: UnsafeMutablePointer<Float>, _ state: inout State
      ) -> Void
  ) {
    let workers = min(threads, count)
    guard workers > 0 else { return }
    // A cache line and a page more apart, so that the threads' scratch never shares either.
    let stride = (scratch + 1039) / 16 * 16
    let buffer = pool.buffer(stride * workers)
    withUnsafeTemporaryAllocation(of: State.self, capacity: workers) { states in
      for worker in 0..<workers { states.initializeElement(at: worker, to: state()) }
      defer { states.deinitialize() }
      // Each is touched by its own worker only.
      nonisolated(unsafe) let states = states
      Parallel.run(count, threads: workers) { worker, index in
        body(index, buffer.pointer + worker * stride, &states[worker])
      }
    }
  }
}
