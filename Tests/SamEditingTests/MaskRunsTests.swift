import SamEditing
import SamImageIO
import Testing

struct MaskRunsTests {
  @Test func runsGoDownTheColumns() throws {
    let runs = MaskRuns(drawn("#..", "##."))
    #expect(runs.counts == [0, 2, 1, 1, 2])
    #expect(runs.area == 3)
    #expect(runs.box == [0, 0, 2, 2])
  }

  @Test(arguments: TestMask.allCases) func theRoundTripIsExact(_ mask: TestMask) throws {
    let image = mask.image
    let runs = MaskRuns(image)
    #expect(runs.image == image)
    #expect(runs.area == mask.area)
    let read = try MaskRuns(
      width: runs.width, height: runs.height, compressed: runs.compressed)
    #expect(read == runs)
    let measure = MaskMeasure(image)
    #expect(
      runs.box
        == [
          measure.columns.lowerBound, measure.rows.lowerBound, measure.columns.count,
          measure.rows.count,
        ])
  }

  @Test(arguments: [(1, 1), (1, 40), (40, 1), (37, 23), (300, 200)])
  func theRoundTripOfNoiseIsExact(_ width: Int, _ height: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(width))
    let image = maskImage(width: width, height: height) { _, _ in numbers.next() % 3 == 0 }
    let runs = MaskRuns(image)
    #expect(runs.image == image)
    let read = try MaskRuns(width: width, height: height, compressed: runs.compressed)
    #expect(read.image == image)
  }

  @Test func aRunMayCrossColumns() {
    let runs = MaskRuns(drawn(".##", "##."))
    #expect(runs.counts == [1, 4, 1])
    #expect(runs.box == [0, 0, 3, 2])
  }

  @Test(arguments: [
    "", "1", "ÄÖ", "0000000000000000", "oooooooooooooooooooooooooo", "7", "\u{0}", " ", "5N",
  ])
  func textThatIsNoMaskIsAnError(_ text: String) {
    #expect(throws: EditingError.self) {
      try MaskRuns(width: 3, height: 2, compressed: text)
    }
  }

  @Test(arguments: [[], [5], [7], [-1, 7], [3, .max], [.max, .max, 2]])
  func countsThatDoNotFillThePictureAreAnError(_ counts: [Int]) {
    #expect(throws: EditingError.self) {
      try MaskRuns(width: 3, height: 2, counts: counts)
    }
  }

  @Test(arguments: [(0, 3), (-1, -1), (Int.max, 2)])
  func aSizeThatIsNoneIsAnError(_ width: Int, _ height: Int) {
    #expect(throws: EditingError.self) {
      try MaskRuns(width: width, height: height, counts: [0])
    }
  }
}
