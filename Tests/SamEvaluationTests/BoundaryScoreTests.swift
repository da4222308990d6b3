import SamEvaluation
import Testing

struct BoundaryScoreTests {
  /// The left half of 20×10 pixels: its outline is column 9.
  private let half = BinaryMask(width: 20, height: 10) { x, _ in x < 10 }

  @Test(arguments: [(0, 1.0), (2, 1), (-2, 1), (3, 0), (-3, 0)])
  func anOutlineMayBeOffByTheTolerance(_ shift: Int, _ score: Double) {
    let mask = BinaryMask(width: 20, height: 10) { x, _ in x < 10 + shift }
    #expect(BoundaryScore(truth: half, tolerance: 2)(mask) == score)
  }

  /// Six of the mask's 15 outline pixels are near the truth's, and six of the truth's ten near the mask's.
  @Test func isTheHarmonicMeanOfPrecisionAndRecall() {
    let mask = BinaryMask(width: 20, height: 10) { x, y in x < (y < 5 ? 10 : 16) }
    let score = BoundaryScore(truth: half, tolerance: 1)(mask)
    #expect(abs(score - 2 * 0.4 * 0.6 / (0.4 + 0.6)) < 1e-12)
  }

  @Test func toleranceIsEuclidean() {
    let point = BinaryMask(width: 9, height: 9) { x, y in x == 4 && y == 4 }
    let score = BoundaryScore(truth: point, tolerance: 2)
    #expect(score(BinaryMask(width: 9, height: 9) { x, y in x == 6 && y == 4 }) == 1)
    #expect(score(BinaryMask(width: 9, height: 9) { x, y in x == 6 && y == 6 }) == 0)
  }

  @Test func thePicturesEdgeIsNoOutline() {
    let whole = BinaryMask(width: 20, height: 10) { _, _ in true }
    let score = BoundaryScore(truth: half, tolerance: 2)
    #expect(score(whole) == 0)
    #expect(BoundaryScore(truth: whole, tolerance: 2)(whole) == 1)
  }

  @Test func anEmptyMaskScoresNothing() {
    let empty = BinaryMask(width: 20, height: 10) { _, _ in false }
    #expect(BoundaryScore(truth: half, tolerance: 2)(empty) == 0)
  }

  @Test(arguments: [(600, 400, 6), (481, 321, 5), (20, 10, 1)])
  func theToleranceGrowsWithThePicture(_ width: Int, _ height: Int, _ pixels: Int) {
    let mask = BinaryMask(width: width, height: height) { x, _ in x < 5 }
    #expect(BoundaryScore(truth: mask).tolerance == pixels)
  }
}
