import SamEvaluation
import Testing

struct MaskComparisonTests {
  @Test func countsWhatIsSharedMissedAndWrong() {
    let truth = BinaryMask(
      "##..",
      "##..",
      "....")
    let mask = BinaryMask(
      ".##.",
      ".#..",
      "....")
    let comparison = MaskComparison(mask, truth: truth)
    #expect(comparison.intersection == 2)
    #expect(comparison.union == 5)
    #expect(comparison.iou == 0.4)
    #expect(
      comparison.missed
        == BinaryMask(
          "#...",
          "#...",
          "...."))
    #expect(
      comparison.wrong
        == BinaryMask(
          "..#.",
          "....",
          "...."))
  }

  @Test func aMaskAgreesWithItself() {
    let mask = BinaryMask("#.#", ".#.")
    let comparison = MaskComparison(mask, truth: mask)
    #expect(comparison.iou == 1)
    #expect(comparison.missed.bounds == nil && comparison.wrong.bounds == nil)
  }

  @Test func whatIsNotThereIsNotFound() {
    let empty = BinaryMask("...")
    #expect(MaskComparison(empty, truth: empty).iou == 0)
    #expect(MaskComparison(empty, truth: BinaryMask(".#.")).iou == 0)
  }

  @Test func boundsHoldEveryPixelInside() {
    let mask = BinaryMask(
      ".....",
      "...#.",
      ".#...",
      ".....")
    #expect(mask.bounds == PixelBounds(columns: 1..<4, rows: 1..<3))
    #expect(BinaryMask("##", "##").bounds == PixelBounds(columns: 0..<2, rows: 0..<2))
    #expect(BinaryMask("..", "..").bounds == nil)
  }
}
