import SamModel
import SamSwift
import Testing

struct DecodingPlanTests {
  let geometry = FrameGeometry(
    imageWidth: 64, imageHeight: 64, frameSize: 64, padMultiple: 32, maskStride: 4)

  /// Four masks of which mask k is filled with the value `value + k`; the scores favour mask 2.
  func decoded(_ value: Float) -> DecodedMasks {
    DecodedMasks(
      grids: (0..<4).map { index in
        LogitGrid(
          width: 16, height: 16,
          values: [Float](repeating: value + Float(index), count: 256))
      }, scores: [0.99, 0.5, 0.8, 0.6])
  }

  func point(_ x: Float, isIncluded: Bool = true) -> Prompt.Point {
    Prompt.Point(x: x, y: 8, isIncluded: isIncluded)
  }

  @Test func aClickAloneTakesTheBestOfMasksOneToThree() {
    var plan = ClickPlan(points: [point(8)], box: nil, previous: nil, isOneByOne: true)
    plan.receive([decoded(10)])
    #expect(plan.answer?.chosen.grid.values[0] == 12)
    #expect(plan.answer?.chosen.score == 0.8)
    #expect(plan.answer?.candidates.map(\.score) == [0.8, 0.6, 0.5])
    #expect(plan.nextPrompts().isEmpty)
  }

  @Test(arguments: [true, false])
  func everythingElseTakesMaskZero(isOneByOne: Bool) {
    let box = Prompt.Box(x0: 1, y0: 1, x1: 30, y1: 30)
    var plan = ClickPlan(points: [], box: box, previous: nil, isOneByOne: isOneByOne)
    plan.receive([decoded(10)])
    #expect(plan.answer?.chosen.grid.values[0] == 10)

    let previous = LogitGrid(width: 16, height: 16, values: [Float](repeating: 1, count: 256))
    var refined = ClickPlan(
      points: [point(8)], box: nil, previous: previous, isOneByOne: isOneByOne)
    #expect(refined.nextPrompts()[0].previous == previous)
    refined.receive([decoded(20)])
    #expect(refined.answer?.chosen.grid.values[0] == 20)
  }

  /// Lite: the seed first, then one click more at a time, each with the mask so far.
  @Test func clicksGoOneByOneAndFeedTheMaskOn() {
    let clicks = [point(1, isIncluded: false), point(2), point(3)]
    var plan = ClickPlan(points: clicks, box: nil, previous: nil, isOneByOne: true)
    var rounds: [Prompt] = []
    while let prompt = plan.nextPrompts().first {
      rounds.append(prompt)
      plan.receive([decoded(Float(10 * rounds.count))])
    }
    #expect(rounds.map { $0.points.map(\.x) } == [[2], [2, 1], [2, 1, 3]])
    #expect(rounds[0].previous == nil)
    #expect(rounds[1].previous?.values[0] == 12)
    #expect(rounds[2].previous?.values[0] == 20)
    #expect(plan.answer?.chosen.grid.values[0] == 30)
  }

  @Test func aBoxAndItsFirstClicksGoTogether() {
    let box = Prompt.Box(x0: 1, y0: 1, x1: 30, y1: 30)
    var plan = ClickPlan(points: [point(2)], box: box, previous: nil, isOneByOne: true)
    #expect(plan.nextPrompts()[0].points.count == 1)
    #expect(plan.nextPrompts()[0].box == box)
    plan.receive([decoded(10)])
    plan.add(point(3))
    #expect(plan.nextPrompts()[0].points.count == 2)
    #expect(plan.nextPrompts()[0].previous?.values[0] == 10)
  }

  /// MobileSAM: all at once.
  @Test func clicksGoAllAtOnceWhereTheModelIsMadeForIt() {
    var plan = ClickPlan(
      points: [point(1), point(2), point(3)], box: nil, previous: nil, isOneByOne: false)
    #expect(plan.nextPrompts().map(\.points.count) == [3])
    plan.receive([decoded(10)])
    #expect(plan.nextPrompts().isEmpty)
    #expect(plan.answer?.chosen.grid.values[0] == 10)
  }

  @Test(arguments: [true, false])
  func aRefinementIsOneDecode(isOneByOne: Bool) {
    var plan = ClickPlan(points: [point(1)], box: nil, previous: nil, isOneByOne: isOneByOne)
    plan.receive([decoded(10)])
    plan.add(point(2))
    #expect(plan.nextPrompts().map(\.points.count) == [2])
    #expect(plan.nextPrompts()[0].previous?.values[0] == 12)
    plan.receive([decoded(20)])
    #expect(plan.nextPrompts().isEmpty)
  }

  // MARK: Scribbles

  /// Masks whose mask 0 is 5 on the given columns and −5 elsewhere.
  func decoded(columns: Range<Int>) -> DecodedMasks {
    let values = (0..<256).map { columns.contains($0 % 16) ? Float(5) : -5 }
    let grid = LogitGrid(width: 16, height: 16, values: values)
    return DecodedMasks(grids: [grid, grid, grid, grid], scores: [0.5, 0.9, 0.9, 0.9])
  }

  func stroke(_ columns: Range<Int>, row: Int) -> [ScribbleCells.Cell] {
    columns.map { ScribbleCells.Cell(x: $0, y: row) }
  }

  @Test func eachStrokeIsAnObjectAndTheAnswerTheirUnion() throws {
    var plan = ScribblePlan(
      strokes: [stroke(1..<5, row: 3), stroke(10..<15, row: 9)], geometry: geometry)
    let prompts = plan.nextPrompts()
    #expect(prompts.count == 2)
    #expect(prompts.allSatisfy { !$0.points.isEmpty && $0.points.allSatisfy(\.isIncluded) })
    #expect(prompts.allSatisfy { $0.strokes.count >= $0.points.count })
    // The longer stroke comes first.
    plan.receive([decoded(columns: 9..<16), decoded(columns: 0..<6)])
    #expect(plan.nextPrompts().isEmpty)
    let union = try #require(plan.answer).chosen.grid.values
    for column in 0..<16 {
      let isInside = column < 6 || column >= 9
      #expect((union[column] > 0) == isInside, "column \(column)")
    }
  }

  @Test func aStrokeThatRunsOnTouchesAnotherObject() throws {
    var plan = ScribblePlan(strokes: [stroke(1..<15, row: 3)], geometry: geometry)
    plan.receive([decoded(columns: 0..<8)])
    let more = plan.nextPrompts()
    #expect(more.count == 1)
    #expect(more[0].points.allSatisfy { $0.x > 32 })
    plan.receive([decoded(columns: 8..<16)])
    #expect(plan.nextPrompts().isEmpty)
    let union = try #require(plan.answer).chosen.grid.values
    #expect(union.allSatisfy { $0 > 0 })
  }

  @Test func anOvershootIsNoObject() {
    var plan = ScribblePlan(strokes: [stroke(1..<15, row: 3)], geometry: geometry)
    plan.receive([decoded(columns: 0..<13)])
    #expect(plan.nextPrompts().isEmpty)
  }

  @Test func tokensAreAtMostThirteen() {
    let snake = (0..<16).flatMap { stroke(0..<16, row: $0) }
    let plan = ScribblePlan(strokes: [snake], geometry: geometry)
    #expect(plan.nextPrompts()[0].points.count <= 13)
  }

  @Test func clicksCorrectTheObjectThatTheyConcern() {
    var plan = ScribblePlan(
      strokes: [stroke(1..<5, row: 3), stroke(10..<15, row: 9)], geometry: geometry)
    plan.receive([decoded(columns: 9..<16), decoded(columns: 0..<6)])
    // An exclusion on the left object; pixels are four to a cell.
    plan.add(Prompt.Point(x: 10, y: 50, isIncluded: false))
    let prompts = plan.nextPrompts()
    #expect(prompts.count == 1)
    #expect(prompts[0].points.last == Prompt.Point(x: 10, y: 50, isIncluded: false))
    #expect(prompts[0].previous?.values[0] == 5)
    plan.receive([decoded(columns: 0..<2)])
    // An exclusion on nothing changes nothing.
    plan.add(Prompt.Point(x: 30, y: 50, isIncluded: false))
    #expect(plan.nextPrompts().isEmpty)
    // An inclusion of nothing yet goes to the nearest stroke.
    plan.add(Prompt.Point(x: 34, y: 36, isIncluded: true))
    #expect(plan.nextPrompts().count == 1)
    #expect(plan.nextPrompts()[0].previous?.values[15] == 5)
  }
}
