/// What a mask at the picture's size measures.
package struct MaskCounts: Sendable, Equatable {
  /// Pixels whose logit is above 0.
  package var inside = 0
  /// Pixels whose logit is above the margin.
  package var sure = 0
  /// Pixels whose logit is above the negative margin.
  package var possible = 0
  /// The smallest box round the pixels inside; empty ranges for an empty mask.
  package var columns = 0..<0
  package var rows = 0..<0

  package init() {}

  /// SAM's stability score: the IoU of the mask cut at the margin and at its negative; 0 for an empty
  /// mask, which has none.
  package var stability: Float {
    possible == 0 ? 0 : Float(sure) / Float(possible)
  }
}

extension MaskSurvey {
  /// Counts a mask's pixels; `margin` is how far the two further thresholds lie from 0.
  package func measure(_ grid: LogitGrid, margin: Float) -> MaskCounts {
    let tally = Tally()
    walk(
      grid, margin: margin,
      Visitor(
        uniform: { rows, columns, level in
          let count = rows.count * columns.count
          tally.counts.possible += count
          guard level > 1 else { return }
          tally.counts.inside += count
          tally.include(rows, columns)
          if level > 2 { tally.counts.sure += count }
        },
        mixed: { y, columns, logits in tally.add(y, columns, logits, margin: margin) },
        endOfRows: { _, _ in }))
    return tally.counts
  }
}

/// Sums up what a walk meets.
private final class Tally {
  var counts = MaskCounts()

  /// Widens the box.
  func include(_ rows: Range<Int>, _ columns: Range<Int>) {
    guard !counts.rows.isEmpty else {
      counts.rows = rows
      counts.columns = columns
      return
    }
    counts.rows =
      min(counts.rows.lowerBound, rows.lowerBound)..<max(counts.rows.upperBound, rows.upperBound)
    counts.columns =
      min(
        counts.columns.lowerBound, columns.lowerBound)..<max(
        counts.columns.upperBound, columns.upperBound)
  }

  func add(_ y: Int, _ columns: Range<Int>, _ logits: UnsafePointer<Float>, margin: Float) {
    var (inside, sure, possible): (Int32, Int32, Int32) = (0, 0, 0)
    let low = -margin
    for i in 0..<columns.count {
      let value = logits[i]
      possible &+= value > low ? 1 : 0
      inside &+= value > 0 ? 1 : 0
      sure &+= value > margin ? 1 : 0
    }
    counts.possible += Int(possible)
    counts.sure += Int(sure)
    guard inside > 0 else { return }
    counts.inside += Int(inside)
    var first = 0
    while !(logits[first] > 0) { first += 1 }
    var last = columns.count - 1
    while !(logits[last] > 0) { last -= 1 }
    include(y..<y + 1, columns.lowerBound + first..<columns.lowerBound + last + 1)
  }
}
