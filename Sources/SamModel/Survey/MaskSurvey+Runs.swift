extension MaskSurvey {
  /// The mask at the picture's size as run lengths down the columns, one column after the other: first
  /// pixels outside, then inside, and so on, as COCO has them.
  ///
  /// The picture may be a part of a larger one; the runs are then those of the larger one.
  ///
  /// - Parameters:
  ///   - grid: the decoder's logits of one mask.
  ///   - counts: what ``measure(_:margin:)`` found; only its box is looked at.
  ///   - x: columns of the larger picture to the left of this one.
  ///   - y: rows of the larger picture above this one.
  ///   - width: columns of the larger picture.
  ///   - height: rows of the larger picture.
  /// - Returns: lengths that add up to `width · height`, the first 0 where the first pixel is inside.
  package func runs(
    _ grid: LogitGrid, counts: MaskCounts, x: Int, y: Int, width: Int, height: Int
  ) -> [Int] {
    guard counts.inside > 0 else { return [width * height] }
    let edges = ColumnEdges(width: geometry.imageWidth, mostRows: mostRows, box: counts.columns)
    walk(
      grid, margin: 0,
      Visitor(
        uniform: { rows, columns, level in if level > 1 { edges.fill(rows, columns) } },
        mixed: { edges.write($0, $1, $2) },
        endOfRows: { edges.finish($0, isEmpty: $1) }))
    edges.close(height: geometry.imageHeight)
    return edges.runs(x: x, y: y, width: width, height: height)
  }
}

/// Finds where a mask that is told row by row begins and ends in each column.
private final class ColumnEdges {
  private let width: Int
  /// Columns that can be inside.
  private let box: Range<Int>
  /// The last row of the rows before, then the rows that are being told: 1 is inside.
  private let bytes: UnsafeMutablePointer<UInt8>
  private var firstRow = 0
  private var previousIsEmpty = true
  /// Column and row of each change, from the top to the bottom.
  private var edges: [(column: Int32, row: Int32)] = []

  init(width: Int, mostRows: Int, box: Range<Int>) {
    self.width = width
    self.box = box
    let count = (mostRows + 1) * width
    bytes = .allocate(capacity: count)
    bytes.initialize(repeating: 0, count: count)
  }

  deinit { bytes.deallocate() }

  private func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { bytes + (y - firstRow + 1) * width }

  func fill(_ rows: Range<Int>, _ columns: Range<Int>) {
    for y in rows { (row(y) + columns.lowerBound).update(repeating: 1, count: columns.count) }
  }

  func write(_ y: Int, _ columns: Range<Int>, _ logits: UnsafePointer<Float>) {
    let target = row(y) + columns.lowerBound
    for i in 0..<columns.count { target[i] = logits[i] > 0 ? 1 : 0 }
  }

  /// Compares the rows that have been told, each with the one above.
  func finish(_ rows: Range<Int>, isEmpty: Bool) {
    defer { firstRow = rows.upperBound }
    if isEmpty && previousIsEmpty { return }
    // Rows without any block above the threshold are like one empty row.
    let told = isEmpty ? rows.lowerBound..<rows.lowerBound + 1 : rows
    for y in told { compare(y) }
    let last = row(told.upperBound - 1)
    bytes.update(from: last, count: width)
    (bytes + width).update(repeating: 0, count: told.count * width)
    previousIsEmpty = isEmpty
  }

  private func compare(_ y: Int) {
    let (above, current) = (row(y) - width, row(y))
    var x = box.lowerBound
    while x < box.upperBound {
      if x + 8 <= box.upperBound,
        UnsafeRawPointer(above + x).loadUnaligned(as: UInt64.self)
          == UnsafeRawPointer(current + x).loadUnaligned(as: UInt64.self)
      {
        x += 8
        continue
      }
      let end = min(x + 8, box.upperBound)
      while x < end {
        if above[x] != current[x] { edges.append((Int32(x), Int32(y))) }
        x += 1
      }
    }
  }

  /// What is inside in the last row ends below it.
  func close(height: Int) {
    for x in box where bytes[x] != 0 { edges.append((Int32(x), Int32(height))) }
  }

  func runs(x: Int, y: Int, width: Int, height: Int) -> [Int] {
    // The edges are in the order of their rows: putting each behind the others of its column sorts.
    var next = [Int](repeating: 0, count: box.count + 1)
    for edge in edges { next[Int(edge.column) - box.lowerBound + 1] += 1 }
    for column in 1..<next.count { next[column] += next[column - 1] }
    var sorted = [Int](repeating: 0, count: edges.count)
    for edge in edges {
      let column = Int(edge.column)
      sorted[next[column - box.lowerBound]] = (x + column) * height + y + Int(edge.row)
      next[column - box.lowerBound] += 1
    }
    // A run through the foot of one column and the head of the next has no edge between them.
    var places: [Int] = []
    places.reserveCapacity(sorted.count)
    for place in sorted {
      if places.last == place { places.removeLast() } else { places.append(place) }
    }
    var runs: [Int] = []
    runs.reserveCapacity(places.count + 1)
    var previous = 0
    for place in places {
      runs.append(place - previous)
      previous = place
    }
    if previous < width * height { runs.append(width * height - previous) }
    return runs
  }
}
