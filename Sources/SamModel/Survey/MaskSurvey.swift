import KernelInterface
import SamTensor

/// Measures masks at the picture's size, as SAM does, without ever holding one at that size.
///
/// A pixel's logit is a weighted mean of nine cells of the decoder's grid at most. Where all of them lie
/// on one side of every threshold, so do the pixels between them, and a block of them is counted at
/// once; pixels are computed only where a line runs through their cells. The results are those of
/// computing every pixel. Cost: O(cells + pixels near a line).
package struct MaskSurvey: Sendable {
  /// Where the picture lies in the frame.
  package let geometry: FrameGeometry
  private let kernels: KernelTable
  private let columnTaps: PictureTaps
  private let rowTaps: PictureTaps
  private let columns: CellSpans
  private let rows: CellSpans

  package init(geometry: FrameGeometry, kernels: KernelTable = Kernels.current) {
    self.geometry = geometry
    self.kernels = kernels
    columnTaps = .columns(geometry)
    rowTaps = .rows(geometry)
    columns = CellSpans(columnTaps)
    rows = CellSpans(rowTaps)
  }

  /// Rows of the picture that read the same cells, at most.
  var mostRows: Int { rows.longest }

  /// What a walk over the blocks of a mask meets, from the top to the bottom, left to right.
  struct Visitor {
    /// A block of pixels whose logits all lie above the same number of thresholds, one at least.
    let uniform: (_ rows: Range<Int>, _ columns: Range<Int>, _ level: Int) -> Void
    /// Pixels of one row that had to be computed; the pointer is to the first of them.
    let mixed: (_ y: Int, _ columns: Range<Int>, _ logits: UnsafePointer<Float>) -> Void
    /// All blocks of some rows have been told; what has not been is below the lowest threshold.
    let endOfRows: (_ rows: Range<Int>, _ isEmpty: Bool) -> Void
  }

  /// Rounding may carry an interpolated value this far beyond the values it lies between.
  private static let slack: Float = 1e-4

  /// Walks over a mask with thresholds at 0 and `margin` to both sides of it.
  func walk(_ grid: LogitGrid, margin: Float, _ visitor: Visitor) {
    precondition(
      grid.width == geometry.gridWidth && grid.height == geometry.gridHeight
        && grid.values.count == grid.width * grid.height,
      "a grid of \(grid.width)×\(grid.height) does not belong to this frame")
    let slack = Self.slack
    func level(_ value: Float) -> Int {
      (value > -margin ? 1 : 0) + (value > 0 ? 1 : 0) + (value > margin ? 1 : 0)
    }
    grid.values.withUnsafeBufferPointer { values in
      guard let cells = values.baseAddress else { return }
      let active = ActiveCells(
        cells, gridWidth: grid.width, columns: columns.cellCount, rows: rows.cellCount,
        threshold: -margin - slack)
      let reader = TileReader(
        cells, gridWidth: grid.width, columns: columnTaps, rows: rowTaps, kernels: kernels)
      let extremes = ColumnExtremes(width: grid.width)
      for row in rows.spans {
        // A picture smaller than the grid leaves cells between its pixels that none of them reads.
        guard let spans = active.columns(ofRows: row.cells).map(columns.reading), !spans.isEmpty
        else {
          visitor.endOfRows(row.pixels, true)
          continue
        }
        let (first, last) = (spans.lowerBound, spans.upperBound - 1)
        extremes.read(
          cells, gridWidth: grid.width, rows: row.cells,
          columns: columns.spans[first].cells.lowerBound...columns.spans[last].cells.upperBound)
        // Neighbours of one kind are told as one; nil is a block through which a line may run.
        var start = columns.spans[first].pixels.lowerBound
        var kind: Int? = 0
        func tell(upTo end: Int) {
          guard end > start else { return }
          if let kind {
            if kind > 0 { visitor.uniform(row.pixels, start..<end, kind) }
          } else {
            reader.read(rows: row, columns: start..<end) { visitor.mixed($0, start..<end, $1) }
          }
        }
        for index in spans {
          let span = columns.spans[index]
          let (low, high) = extremes.range(span.cells)
          let levels = (level(low - slack), level(high + slack))
          let next: Int? = levels.0 == levels.1 ? levels.0 : nil
          if next != kind {
            tell(upTo: span.pixels.lowerBound)
            start = span.pixels.lowerBound
            kind = next
          }
        }
        tell(upTo: columns.spans[last].pixels.upperBound)
        visitor.endOfRows(row.pixels, false)
      }
    }
  }
}

/// For each row of the grid, the columns between the first and the last cell above a threshold; only cells
/// that the picture reads count.
private struct ActiveCells {
  private var ranges: [ClosedRange<Int>?]

  init(
    _ cells: UnsafePointer<Float>, gridWidth: Int, columns: Int, rows: Int, threshold: Float
  ) {
    ranges = (0..<rows).map { y in
      let row = cells + y * gridWidth
      var first = 0
      while first < columns, !(row[first] > threshold) { first += 1 }
      guard first < columns else { return nil }
      var last = columns - 1
      while !(row[last] > threshold) { last -= 1 }
      return first...last
    }
  }

  func columns(ofRows rows: ClosedRange<Int>) -> ClosedRange<Int>? {
    var reach: ClosedRange<Int>?
    for y in rows {
      guard let range = ranges[y] else { continue }
      reach =
        reach.map {
          min($0.lowerBound, range.lowerBound)...max($0.upperBound, range.upperBound)
        } ?? range
    }
    return reach
  }
}

/// The smallest and the largest value of each column of the grid over some rows.
private final class ColumnExtremes {
  private let low: UnsafeMutablePointer<Float>
  private let high: UnsafeMutablePointer<Float>

  init(width: Int) {
    low = .allocate(capacity: 2 * width)
    low.initialize(repeating: 0, count: 2 * width)
    high = low + width
  }

  deinit { low.deallocate() }

  func read(
    _ cells: UnsafePointer<Float>, gridWidth: Int, rows: ClosedRange<Int>,
    columns: ClosedRange<Int>
  ) {
    for y in rows {
      let row = cells + y * gridWidth
      if y == rows.lowerBound {
        for x in columns {
          low[x] = row[x]
          high[x] = row[x]
        }
      } else {
        for x in columns {
          let value = row[x]
          low[x] = value < low[x] ? value : low[x]
          high[x] = value > high[x] ? value : high[x]
        }
      }
    }
  }

  func range(_ columns: ClosedRange<Int>) -> (low: Float, high: Float) {
    var result = (low: low[columns.lowerBound], high: high[columns.lowerBound])
    for x in columns.dropFirst() {
      result.low = min(result.low, low[x])
      result.high = max(result.high, high[x])
    }
    return result
  }
}
