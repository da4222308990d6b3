import SamSwift
import Testing

struct ScribbleCellsTests {
  typealias Cell = ScribbleCells.Cell

  @Test func strokesApartAreApart() {
    let scribble = Scribble(width: 120, height: 80)
      .line(from: (10, 10), to: (50, 10)).line(from: (70, 60), to: (110, 60))
    let cells = ScribbleCells(scribble.image, width: 30, height: 20)
    #expect(cells.strokes.count == 2)
    #expect(cells.strokes[0].allSatisfy { $0.y < 5 && $0.x < 14 })
    #expect(cells.strokes[1].allSatisfy { $0.y > 13 && $0.x > 15 })
  }

  @Test func strokesThatCrossAreOne() {
    let scribble = Scribble(width: 120, height: 80)
      .line(from: (10, 10), to: (110, 70)).line(from: (10, 70), to: (110, 10))
    #expect(ScribbleCells(scribble.image, width: 30, height: 20).strokes.count == 1)
  }

  /// A hair-thin stroke on a large scribble must not fall through the grid.
  @Test func thinStrokesOnLargeScribblesCount() {
    let scribble = Scribble(width: 900, height: 600)
      .line(from: (100, 100), to: (800, 500), thickness: 0)
    let cells = ScribbleCells(scribble.image, width: 30, height: 20)
    #expect(cells.strokes.count == 1)
    #expect(cells.strokes[0].count >= 22)
  }

  /// Every pixel of a small scribble covers several cells.
  @Test func smallScribblesCoverTheirShare() {
    let image = PixelImage(width: 3, height: 2, channels: 1, pixels: [0, 255, 0, 0, 0, 0])
    let cells = ScribbleCells(image, width: 30, height: 20)
    let expected = (0..<10).flatMap { y in (10..<20).map { Cell(x: $0, y: y) } }
    #expect(cells.strokes == [expected])
  }

  @Test func brightnessTimesAlphaDecides() {
    let image = PixelImage(
      width: 4, height: 1, channels: 4,
      pixels: [255, 255, 255, 0, 255, 255, 255, 255, 90, 90, 90, 255, 0, 200, 0, 255])
    let cells = ScribbleCells(image, width: 4, height: 1)
    #expect(cells.strokes == [[Cell(x: 1, y: 0)], [Cell(x: 3, y: 0)]])
  }

  @Test func cellsOutsideTheRegionDoNotCount() {
    let scribble = Scribble(width: 120, height: 80).line(from: (10, 40), to: (110, 40))
    let cells = ScribbleCells(scribble.image, width: 30, height: 20) { $0.x >= 15 }
    #expect(cells.strokes.count == 1)
    #expect(cells.strokes[0].allSatisfy { $0.x >= 15 })
  }

  @Test func clicksLieOnTheMiddleOfAWideStroke() {
    // A bar of 21 × 7 cells: its middle row is row 3.
    let bar = (0..<7).flatMap { y in (0..<21).map { Cell(x: $0, y: y) } }
    let clicks = ScribbleCells.spread(bar, count: 4, minimumDistance: 3)
    #expect(clicks.count == 4)
    #expect(clicks.allSatisfy { $0.y == 3 })
    #expect(Set(clicks).count == 4)
    let xs = clicks.map(\.x).sorted()
    #expect(xs[3] - xs[0] >= 12)
  }

  @Test func clicksKeepTheirDistance() {
    let line = (0..<10).map { Cell(x: $0, y: 0) }
    let clicks = ScribbleCells.spread(line, count: 13, minimumDistance: 3)
    #expect(clicks.map(\.x).sorted() == [0, 4, 9])
    #expect(ScribbleCells.spread([Cell(x: 5, y: 5)], count: 13, minimumDistance: 3).count == 1)
  }
}
