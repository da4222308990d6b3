import Synchronization

/// How work on a picture's rows is spread over threads.
///
/// This module starts no threads; whoever calls it may lend a parallel loop. Rows are handed out in
/// bands of a fixed height, so that results do not depend on the number of threads.
package struct RowLoop: Sendable {
  /// Calls its second argument once for each index below the first, in any order, on any threads.
  package typealias Perform =
    @Sendable (_ count: Int, _ body: @Sendable (_ index: Int) -> Void) -> Void

  package let perform: Perform

  package init(_ perform: @escaping Perform) {
    self.perform = perform
  }

  /// One row after another, on the caller's thread.
  package static let serial = RowLoop { count, body in
    for index in 0..<count { body(index) }
  }

  /// Calls `body` once for each band of up to `height` of the rows `0..<rows`.
  func bands(
    of rows: Int, height: Int = 64, _ body: @Sendable (_ rows: Range<Int>) -> Void
  ) {
    perform((rows + height - 1) / height) { band in
      body(band * height..<min(rows, (band + 1) * height))
    }
  }

  /// Makes an array of `rows · length` elements, all written by `body`, band by band.
  ///
  /// `body` takes the rows of a band and where the first of them begins.
  func plane<Element: Sendable>(
    rows: Int, length: Int, bandHeight: Int = 64,
    _ body: @Sendable (_ rows: Range<Int>, _ first: UnsafeMutablePointer<Element>) -> Void
  ) -> [Element] {
    [Element](unsafeUninitializedCapacity: rows * length) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      let memory = SharedMemory(base)
      bands(of: rows, height: bandHeight) { band in
        body(band, memory.base + band.lowerBound * length)
      }
      count = rows * length
    }
  }
}

/// Memory that several bands write to at once, each to elements of its own.
struct SharedMemory<Element>: @unchecked Sendable {
  let base: UnsafeMutablePointer<Element>

  init(_ base: UnsafeMutablePointer<Element>) {
    self.base = base
  }
}

/// Uninitialised memory that lives as long as the object: what one band needs while it works.
final class Scratch<Element> {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  init(_ count: Int) where Element: BitwiseCopyable {
    self.count = count
    base = .allocate(capacity: max(1, count))
  }

  deinit {
    base.deallocate()
  }
}

/// Whether anything was found by any of several bands.
final class SharedFlag: Sendable {
  private let value = Atomic<Bool>(false)

  func raise() { value.store(true, ordering: .relaxed) }

  var isRaised: Bool { value.load(ordering: .relaxed) }
}
