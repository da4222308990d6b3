import Synchronization

/// Float memory that is reused between calls, so that repeated encodes and decodes allocate nothing.
///
/// A buffer goes back by itself when its last reference goes. Safe to use from several threads.
package final class BufferPool: Sendable {
  private struct Block: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Float>
    let capacity: Int
  }

  private let free = Mutex<[Block]>([])
  private let allocations = Atomic<Int>(0)

  package init() {}

  /// How often memory had to be asked of the system; a caller that repeats its work stops adding to it.
  package var allocationCount: Int { allocations.load(ordering: .relaxed) }

  deinit {
    free.withLock { blocks in
      for block in blocks { AlignedMemory.release(block.pointer) }
    }
  }

  /// A buffer of `count` uninitialised floats: the smallest free block that is not more than half empty, or a new one.
  package func buffer(_ count: Int) -> FloatBuffer {
    let wanted = max(count, 1)
    let block = free.withLock { blocks -> Block? in
      var best: Int?
      for (i, block) in blocks.enumerated()
      where block.capacity >= wanted && block.capacity / 2 <= wanted {
        if let current = best, blocks[current].capacity <= block.capacity { continue }
        best = i
      }
      return best.map { blocks.remove(at: $0) }
    }
    if block == nil { allocations.wrappingAdd(1, ordering: .relaxed) }
    let pointer = block?.pointer ?? AlignedMemory.allocate(floats: wanted)
    return FloatBuffer(
      pointer: pointer, count: count, capacity: block?.capacity ?? wanted, pool: self)
  }

  /// Gives all memory that is not in use back to the system.
  package func trim() {
    let blocks = free.withLock { blocks in
      let all = blocks
      blocks = []
      return all
    }
    for block in blocks { AlignedMemory.release(block.pointer) }
  }

  func takeBack(_ pointer: UnsafeMutablePointer<Float>, capacity: Int) {
    let block = Block(pointer: pointer, capacity: capacity)
    free.withLock { $0.append(block) }
  }
}
