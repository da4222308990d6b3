import Dispatch
import SamTensor
import Testing

struct BufferPoolTests {
  @Test func memoryThatCameBackIsUsedAgain() {
    let pool = BufferPool()
    var first: FloatBuffer? = pool.buffer(1000)
    let place = first?.pointer
    first = nil
    let second = pool.buffer(990)
    #expect(second.pointer == place)
    #expect(second.count == 990)
    #expect(pool.allocationCount == 1)
  }

  @Test func memoryInUseIsNotGivenOutTwice() {
    let pool = BufferPool()
    let buffers = (0..<5).map { _ in pool.buffer(64) }
    #expect(Set(buffers.map(\.pointer)).count == 5)
    #expect(pool.allocationCount == 5)
  }

  @Test func theSmallestBlockThatFitsIsTaken() {
    let pool = BufferPool()
    var blocks = [1900, 1200, 1500].map { pool.buffer($0) }
    let place = blocks[1].pointer
    blocks = []
    let buffer = pool.buffer(1100)
    #expect(buffer.pointer == place)
  }

  @Test func aBlockThatWouldStayMoreThanHalfEmptyIsNotTaken() {
    let pool = BufferPool()
    do { _ = pool.buffer(1000) }
    let small = pool.buffer(400)
    #expect(pool.allocationCount == 2)
    let fitting = pool.buffer(500)
    #expect(pool.allocationCount == 2)
    #expect(small.pointer != fitting.pointer)
  }

  @Test func tooSmallABlockIsNotTaken() {
    let pool = BufferPool()
    do { _ = pool.buffer(1000) }
    let larger = pool.buffer(1001)
    #expect(pool.allocationCount == 2)
    larger.clear()
    #expect(larger.array() == [Float](repeating: 0, count: 1001))
  }

  @Test func trimmedMemoryIsGone() {
    let pool = BufferPool()
    let kept = pool.buffer(10)
    kept.clear()
    do { _ = pool.buffer(1000) }
    pool.trim()
    _ = pool.buffer(1000)
    #expect(pool.allocationCount == 3)
    // What was in use is not touched.
    #expect(kept.array() == [Float](repeating: 0, count: 10))
  }

  @Test func anEmptyBufferIsABuffer() {
    let pool = BufferPool()
    #expect(pool.buffer(0).count == 0)
    #expect(pool.buffer(0).array().isEmpty)
  }

  @Test func buffersOutliveTheirPool() {
    var pool: BufferPool? = BufferPool()
    let buffer = pool?.buffer(100)
    pool = nil
    buffer?.clear()
    #expect(buffer?.array() == [Float](repeating: 0, count: 100))
  }

  @Test func memoryIsAlignedToACacheLineAndLargeMemoryToAHugePage() {
    for (count, alignment) in [(1, 64), (1000, 64), (1 << 19, 2 << 20), ((1 << 20) + 3, 2 << 20)] {
      let address = Int(bitPattern: BufferPool().buffer(count).pointer)
      #expect(address % alignment == 0)
      #expect(Int(bitPattern: FloatBuffer(count: count).pointer) % alignment == 0)
    }
  }

  @Test func severalThreadsMayUseOnePool() {
    let pool = BufferPool()
    let count = 2000
    let faults = Counter()
    DispatchQueue.concurrentPerform(iterations: count) { i in
      let buffer = pool.buffer(100 + i % 50)
      for k in 0..<buffer.count { buffer.pointer[k] = Float(i) }
      for k in 0..<buffer.count where buffer.pointer[k] != Float(i) { faults.add() }
    }
    #expect(faults.value == 0)
    #expect(pool.allocationCount < count)
  }
}
