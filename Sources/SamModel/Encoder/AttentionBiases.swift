import KernelInterface
import SamTensor

/// A learned bias for each head and each distance (|Δy|, |Δx|).
struct AttentionBiases: Sendable {
  private let values: [Float]
  private let heads: Int
  private let side: Int

  /// `values` is heads × side², index |Δy| · side + |Δx| (the order in which TinyViT meets the offsets).
  init(_ values: [Float], heads: Int, side: Int) {
    self.values = values
    self.heads = heads
    self.side = side
  }

  /// The tables of a window of that size, one head's after another's.
  ///
  /// Cost: 2 · heads · height · width floats; made anew for each call.
  func tables(height: Int, width: Int) -> Tables {
    precondition(height <= side && width <= side)
    let stride = DistanceBias.rowStride(width: width)
    let buffer = FloatBuffer(count: heads * height * stride)
    for head in 0..<heads {
      for y in 0..<height {
        let row = buffer.pointer + (head * height + y) * stride
        for x in 0..<stride {
          let distance = min(abs(x - (width - 1)), width - 1)
          row[x] = values[(head * side + y) * side + distance]
        }
      }
    }
    return Tables(buffer: buffer, width: width, headStride: height * stride)
  }

  /// Every head's distances in windows of one size.
  struct Tables: Sendable {
    fileprivate let buffer: FloatBuffer
    fileprivate let width: Int
    fileprivate let headStride: Int

    /// What `head` adds for queries from cell `firstQuery` on; valid as long as the tables.
    func bias(head: Int, firstQuery: Int = 0) -> DistanceBias {
      DistanceBias(
        table: buffer.pointer + head * headStride, width: width, firstQuery: firstQuery)
    }
  }
}
