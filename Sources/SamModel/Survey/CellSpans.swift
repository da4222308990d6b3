/// The picture's pixels along one axis, cut into runs that read the same cells of the grid.
struct CellSpans: Sendable {
  struct Span: Sendable {
    let pixels: Range<Int>
    /// Three cells at most: two neighbouring pixels of the frame read two neighbouring cells each.
    let cells: ClosedRange<Int>
  }

  let spans: [Span]
  /// Cells that are read at all; those of the padding are not.
  let cellCount: Int
  /// For each cell, the first span that reads it or a later one.
  private let firstSpans: [Int]
  /// For each cell, the last span that reads it or an earlier one.
  private let lastSpans: [Int]

  init(_ taps: PictureTaps) {
    var spans: [Span] = []
    func cells(_ pixel: Int) -> ClosedRange<Int> {
      let left = Int(taps.toPicture.left[pixel])
      let right = Int(taps.toPicture.right[pixel])
      return Int(taps.toFrame.left[left])...Int(taps.toFrame.right[right])
    }
    var start = 0
    for pixel in 1...max(1, taps.toPicture.count) {
      guard pixel == taps.toPicture.count || cells(pixel) != cells(start) else { continue }
      spans.append(Span(pixels: start..<pixel, cells: cells(start)))
      start = pixel
    }
    self.spans = spans
    let cellCount = (spans.last?.cells.upperBound ?? -1) + 1
    self.cellCount = cellCount
    firstSpans = (0..<cellCount).map { cell in
      spans.firstIndex { $0.cells.upperBound >= cell } ?? spans.count
    }
    lastSpans = (0..<cellCount).map { cell in
      spans.lastIndex { $0.cells.lowerBound <= cell } ?? -1
    }
  }

  /// The spans that read any of some cells.
  func reading(_ cells: ClosedRange<Int>) -> Range<Int> {
    let first = firstSpans[cells.lowerBound]
    return first..<max(first, lastSpans[cells.upperBound] + 1)
  }

  /// Pixels of the longest span.
  var longest: Int { spans.map(\.pixels.count).max() ?? 0 }
}
