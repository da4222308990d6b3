import KernelInterface

/// Computes logits of a few pixels of the picture: the same numbers as ``MaskPostprocessor`` gives for all.
///
/// Not for use from two threads.
final class TileReader {
  private let cells: UnsafePointer<Float>
  private let gridWidth: Int
  private let columns: PictureTaps
  private let rows: PictureTaps
  private let kernels: KernelTable
  private let storage: UnsafeMutablePointer<Float>
  /// Three rows of cells, each stretched to the frame's width.
  private let stretched: UnsafeMutablePointer<Float>
  private let frameRow: UnsafeMutablePointer<Float>
  /// Two rows of the frame, each widened to the picture's width: row `r` in slot `r & 1`.
  private let widened: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>

  private var frameWidth: Int { columns.toFrame.count }
  private var width: Int { columns.toPicture.count }

  init(
    _ cells: UnsafePointer<Float>, gridWidth: Int, columns: PictureTaps, rows: PictureTaps,
    kernels: KernelTable
  ) {
    self.cells = cells
    self.gridWidth = gridWidth
    self.columns = columns
    self.rows = rows
    self.kernels = kernels
    let (frame, picture) = (columns.toFrame.count, columns.toPicture.count)
    let count = 4 * frame + 3 * picture
    storage = .allocate(capacity: count)
    storage.initialize(repeating: 0, count: count)
    stretched = storage
    frameRow = stretched + 3 * frame
    widened = frameRow + frame
    output = widened + 2 * picture
  }

  deinit { storage.deallocate() }

  /// Calls `body` with each row of a block, from the top; the pointer is to the first of `columns` and
  /// good until `body` returns.
  func read(
    rows block: CellSpans.Span, columns range: Range<Int>,
    _ body: (_ y: Int, _ logits: UnsafePointer<Float>) -> Void
  ) {
    let first = Int(columns.toPicture.left[range.lowerBound])
    let end = Int(columns.toPicture.right[range.upperBound - 1]) + 1
    for row in block.cells {
      stretch(row, into: stretched + (row - block.cells.lowerBound) * frameWidth, first..<end)
    }
    var held = (-1, -1)
    func widen(_ row: Int) -> UnsafePointer<Float> {
      let isOdd = row & 1 == 1
      let slot = widened + (isOdd ? width : 0)
      if (isOdd ? held.1 : held.0) != row {
        let source = frame(row, over: block.cells.lowerBound, first..<end)
        columns.toPicture.gather(source, into: slot, range, kernels)
        if isOdd { held.1 = row } else { held.0 = row }
      }
      return UnsafePointer(slot + range.lowerBound)
    }
    let taps = rows.toPicture
    for y in block.pixels {
      let top = widen(Int(taps.left[y]))
      guard taps.fraction[y] > 0 else {
        body(y, top)
        continue
      }
      let bottom = widen(Int(taps.right[y]))
      kernels.interpolate(top, bottom, taps.fraction[y], output, range.count)
      body(y, output)
    }
  }

  private func stretch(
    _ row: Int, into slot: UnsafeMutablePointer<Float>, _ range: Range<Int>
  ) {
    columns.toFrame.gather(cells + row * gridWidth, into: slot, range, kernels)
  }

  /// A row of the frame, out of the stretched rows, of which the first is row `origin` of the grid.
  private func frame(_ row: Int, over origin: Int, _ range: Range<Int>) -> UnsafePointer<Float> {
    let taps = rows.toFrame
    let top = stretched + (Int(taps.left[row]) - origin) * frameWidth
    guard taps.fraction[row] > 0 else { return UnsafePointer(top) }
    let bottom = stretched + (Int(taps.right[row]) - origin) * frameWidth
    let first = range.lowerBound
    kernels.interpolate(
      top + first, bottom + first, taps.fraction[row], frameRow + first, range.count)
    return UnsafePointer(frameRow)
  }
}

extension BilinearTaps {
  /// Computes outputs `range` of a whole row at their places in `target`.
  fileprivate func gather(
    _ row: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, _ range: Range<Int>,
    _ kernels: KernelTable
  ) {
    let first = range.lowerBound
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        fraction.withUnsafeBufferPointer { fraction in
          guard let left = left.baseAddress, let right = right.baseAddress,
            let fraction = fraction.baseAddress
          else { return }
          kernels.gatherInterpolate(
            row, left + first, right + first, fraction + first, target + first, range.count)
        }
      }
    }
  }
}
