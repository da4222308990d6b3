import SamEvaluation
import SamSwift
import SamTestSupport
import Testing

/// Masks of every level lie where they belong on the picture.
struct PictureMaskTests {
  private let session: SamSession

  init() throws {
    session = try SamSession(configuration: .init(precision: .float32))
    // 600×400 becomes 512×341, which is no multiple of the decoder's cells.
    try session.setImage(TestPhotos.url("coffee.png"))
  }

  private func mask(_ quality: SamQuality) throws -> SamMask {
    try session.predict(
      box: SamBox(x0: 168, y0: 15, x1: 415, y1: 325), options: .init(quality: quality)
    ).best
  }

  @Test func atThePicturesSizeItIsTheAlpha() throws {
    let mask = try mask(.accurate)
    #expect(BinaryMask(mask).bytes == mask.alpha.pixels.map { $0 >= 128 ? 1 : 0 })
  }

  @Test(arguments: [SamQuality.fast, .balanced])
  func smallerOnesAreStretchedToThePicture(_ quality: SamQuality) throws {
    let small = try mask(quality)
    let large = BinaryMask(small)
    #expect(large.width == 600 && large.height == 400)
    let bounds = try #require(large.bounds)
    let box = try #require(small.boundingBox)
    // Within one of the small mask's pixels.
    let slack = 600 / Double(small.width)
    #expect(abs(Double(bounds.columns.lowerBound) - box.x0) <= slack)
    #expect(abs(Double(bounds.columns.upperBound) - box.x1) <= slack)
    #expect(abs(Double(bounds.rows.lowerBound) - box.y0) <= slack)
    #expect(abs(Double(bounds.rows.upperBound) - box.y1) <= slack)
  }

  @Test func fastAndBalancedDifferAtEdgesOnly() throws {
    let comparison = MaskComparison(
      BinaryMask(try mask(.fast)), truth: BinaryMask(try mask(.balanced)))
    #expect(comparison.iou > 0.97)
  }
}
