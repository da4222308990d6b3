/// Scratch for a row of values, freed with its owner.
struct RowBuffer<Element: BitwiseCopyable>: ~Copyable {
  /// The first value; valid as long as this buffer.
  let start: UnsafeMutablePointer<Element>

  /// Makes room for `count` values, all of them `value`.
  init(count: Int, repeating value: Element) {
    start = .allocate(capacity: count)
    start.initialize(repeating: value, count: count)
  }

  /// Makes room for `capacity` values that are written before they are read.
  init(capacity: Int) {
    start = .allocate(capacity: capacity)
  }

  deinit {
    start.deallocate()
  }
}
