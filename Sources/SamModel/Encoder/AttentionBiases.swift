import SamTensor
import Synchronization

/// A learned bias for each head and each distance (|Δy|, |Δx|), laid out for whole windows on demand.
final class AttentionBiases: Sendable {
  private let values: [Float]
  private let heads: Int
  private let side: Int
  private let tables = Mutex<[Int: FloatBuffer]>([:])

  /// Window shapes that are kept laid out: more than a server meets at once, bounded all the same.
  private static let keptShapes = 8

  /// `values` is heads × side², index |Δy| · side + |Δx| (the order in which TinyViT meets the offsets).
  init(_ values: [Float], heads: Int, side: Int) {
    self.values = values
    self.heads = heads
    self.side = side
  }

  /// heads × cells × cells, cells row-major over a window of that size; kept for the next call.
  func table(height: Int, width: Int) -> FloatBuffer {
    precondition(height <= side && width <= side)
    return tables.withLock { tables in
      let key = height * (side + 1) + width
      if let table = tables[key] { return table }
      if tables.count >= Self.keptShapes { tables.removeAll() }
      let table = layOut(height, width)
      tables[key] = table
      return table
    }
  }

  private func layOut(_ height: Int, _ width: Int) -> FloatBuffer {
    let cells = height * width
    let table = FloatBuffer(count: heads * cells * cells)
    var target = table.pointer
    values.withUnsafeBufferPointer { values in
      for head in 0..<heads {
        for from in 0..<cells {
          let (fromY, fromX) = (from / width, from % width)
          for y in 0..<height {
            let row = head * side * side + abs(y - fromY) * side
            for x in 0..<width { target[x] = values[row + abs(x - fromX)] }
            target += width
          }
        }
      }
    }
    return table
  }
}
