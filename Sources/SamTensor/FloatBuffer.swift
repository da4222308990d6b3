/// An owner of aligned float memory; returns it to its pool, or to the system, when the last reference goes.
///
/// The memory is not initialised. Whoever shares a buffer between threads keeps their ranges apart.
package final class FloatBuffer: @unchecked Sendable {
  /// Valid as long as the buffer lives: use it inside a scope that holds the buffer.
  package let pointer: UnsafeMutablePointer<Float>
  /// Floats that may be used.
  package let count: Int
  let capacity: Int
  private let pool: BufferPool?

  /// Memory of its own.
  package convenience init(count: Int) {
    let capacity = max(count, 1)
    self.init(
      pointer: AlignedMemory.allocate(floats: capacity), count: count, capacity: capacity, pool: nil
    )
  }

  /// Memory of its own with these values.
  package convenience init(_ values: [Float]) {
    self.init(count: values.count)
    for (i, value) in values.enumerated() { pointer[i] = value }
  }

  init(pointer: UnsafeMutablePointer<Float>, count: Int, capacity: Int, pool: BufferPool?) {
    self.pointer = pointer
    self.count = count
    self.capacity = capacity
    self.pool = pool
  }

  deinit {
    if let pool {
      pool.takeBack(pointer, capacity: capacity)
    } else {
      AlignedMemory.release(pointer)
    }
  }

  /// Sets every float to zero.
  package func clear() {
    pointer.update(repeating: 0, count: count)
  }

  /// The floats as an array.
  package func array() -> [Float] {
    Array(UnsafeBufferPointer(start: pointer, count: count))
  }
}
