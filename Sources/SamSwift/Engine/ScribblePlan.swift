import SamModel

/// The plan for a scribble: one chain of decodes for each object that its strokes touch.
///
/// Each connected stroke begins an object: clicks along it, up to 13 as tokens, all of them in the dense
/// prompt map. Where a good part of a stroke is left outside the mask it ran over to another object,
/// which gets a chain of its own. The answer is the union.
package struct ScribblePlan: DecodingPlan {
  package typealias Cell = ScribbleCells.Cell

  /// Clicks that go to the decoder as tokens, SAM's habit and Apple's limit.
  private static let tokenLimit = 13
  /// Cells between tokens: closer, they say nothing new.
  private static let tokenDistance = 3
  /// Clicks in the dense map.
  private static let denseLimit = 192
  /// The share of a stroke's cells that makes a new object where it lies outside the mask.
  ///
  /// Less is an overshoot of the hand.
  private static let overflowShare = 0.2
  /// Objects that one scribble may have, so that any picture costs a bounded time.
  private static let objectLimit = 16

  /// One object: what points at it, and what the decoder made of it.
  private struct Object: Sendable {
    var cells: [Cell]
    /// Cells of the stroke that the object began with; an overflow is measured against it.
    var strokeLength: Int
    var clicks: [Prompt.Point] = []
    var answer: Answer?
    /// Whether something points at the object that its answer does not know yet.
    var isStale = true
  }

  private let geometry: FrameGeometry
  private var objects: [Object]

  /// Clicks that correct what the strokes find; they wait until every stroke has its answer.
  var pendingClicks: [Prompt.Point] = []

  /// Plans for the given strokes, at least one.
  package init(strokes: [[Cell]], geometry: FrameGeometry) {
    self.geometry = geometry
    // The largest strokes first, so that a picture full of specks loses specks.
    objects = strokes.sorted { $0.count > $1.count }.prefix(Self.objectLimit).map {
      Object(cells: $0, strokeLength: $0.count)
    }
  }

  package var answer: Answer? {
    let answers = objects.compactMap(\.answer)
    return answers.isEmpty ? nil : Answer(unionOf: answers)
  }

  package func nextPrompts() -> [Prompt] {
    objects.filter(\.isStale).map { object in
      let tokens = ScribbleCells.spread(
        object.cells, count: max(1, Self.tokenLimit - object.clicks.count),
        minimumDistance: Self.tokenDistance)
      let dense = ScribbleCells.spread(object.cells, count: Self.denseLimit, minimumDistance: 1)
      return Prompt(
        points: tokens.map(click) + object.clicks, previous: object.answer?.chosen.grid,
        strokes: dense.map(click))
    }
  }

  package mutating func receive(_ decoded: [DecodedMasks]) {
    let stale = objects.indices.filter { objects[$0].isStale }
    precondition(decoded.count == stale.count, "as many answers as prompts")
    for (index, masks) in zip(stale, decoded) {
      let isFirst = objects[index].answer == nil
      // A stroke is no single click, even if it is so short that it has one token.
      objects[index].answer = Answer(masks, isSingleClick: false)
      objects[index].isStale = false
      if isFirst { follow(objects[index]) }
    }
    addPendingClick()
  }

  package mutating func add(_ point: Prompt.Point) {
    pendingClicks.append(point)
    addPendingClick()
  }

  /// Hands the next click to the objects that it concerns, once they all have answers.
  private mutating func addPendingClick() {
    while !pendingClicks.isEmpty && !objects.contains(where: \.isStale) {
      apply(pendingClicks.removeFirst())
    }
  }

  private mutating func apply(_ point: Prompt.Point) {
    let inside = objects.indices.filter { objects[$0].answer.map { covers($0, point) } ?? false }
    var concerned = inside
    if inside.isEmpty && point.isIncluded {
      // The click enlarges the object whose stroke is nearest.
      let cell = self.cell(point)
      let distances = objects.map { object in
        object.cells.map { squaredDistance($0, cell) }.min() ?? Int.max
      }
      if let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }) {
        concerned = [nearest]
      }
    }
    for index in concerned {
      objects[index].clicks.append(point)
      objects[index].isStale = true
    }
  }

  /// Begins new objects where a fresh answer leaves much of its stroke outside every object so far.
  private mutating func follow(_ object: Object) {
    let answers = objects.compactMap(\.answer)
    let uncovered = object.cells.filter { cell in !answers.contains { covers($0, cell) } }
    // A stroke with nothing inside at all is one that the network does not follow; asking again
    // for the same cells would not help.
    guard uncovered.count < object.cells.count else { return }
    let pieces = ScribbleCells.connected(
      uncovered, width: geometry.gridWidth, height: geometry.gridHeight)
    let least = max(4, Int(Double(object.strokeLength) * Self.overflowShare))
    for piece in pieces where piece.count >= least && objects.count < Self.objectLimit {
      objects.append(Object(cells: piece, strokeLength: object.strokeLength))
    }
  }

  private func covers(_ answer: Answer, _ cell: Cell) -> Bool {
    answer.chosen.grid.values[cell.y * geometry.gridWidth + cell.x] > 0
  }

  private func covers(_ answer: Answer, _ point: Prompt.Point) -> Bool {
    covers(answer, cell(point))
  }

  /// The click in the middle of a cell.
  private func click(_ cell: Cell) -> Prompt.Point {
    Prompt.Point(
      x: (Float(cell.x) + 0.5) * geometry.cellWidth, y: (Float(cell.y) + 0.5) * geometry.cellHeight,
      isIncluded: true)
  }

  /// The cell that a click lies in.
  private func cell(_ point: Prompt.Point) -> Cell {
    Cell(
      x: min(max(0, Int(point.x / geometry.cellWidth)), geometry.gridWidth - 1),
      y: min(max(0, Int(point.y / geometry.cellHeight)), geometry.gridHeight - 1))
  }

  private func squaredDistance(_ a: Cell, _ b: Cell) -> Int {
    (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)
  }
}

extension FrameGeometry {
  /// Pixels of the picture that one cell of the decoder's grid is wide.
  var cellWidth: Float { Float(maskStride) * Float(imageWidth) / Float(resizedWidth) }

  /// Pixels of the picture that one cell of the decoder's grid is high.
  var cellHeight: Float { Float(maskStride) * Float(imageHeight) / Float(resizedHeight) }
}
