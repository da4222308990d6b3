import SamEditing
import SamImageIO
import Testing

struct MaskCleanUpTests {
  @Test(arguments: TestMask.allCases) func byDefaultNothingIsDone(_ mask: TestMask) throws {
    #expect(MaskCleanUp().isEmpty)
    #expect(try MaskCleanUp()(mask.image) == mask.image)
  }

  @Test func smallPiecesGo() throws {
    // Pieces of 30 and 42 pixels.
    let islands = TestMask.twoIslands.image
    #expect(try MaskCleanUp(minimumArea: 30)(islands) == islands)
    let one = try MaskCleanUp(minimumArea: 31)(islands)
    #expect(MaskMeasure(one).count == 42 && MaskMeasure(one).columns == 14..<20)
    #expect(MaskMeasure(try MaskCleanUp(minimumArea: 43)(islands)).count == 0)
  }

  @Test func areasAreMeasuredInThePicture() throws {
    // Each pixel of the mask stands for four of the picture.
    let islands = TestMask.twoIslands.image
    let kept = try MaskCleanUp(minimumArea: 121)(islands, pixelArea: 4)
    #expect(MaskMeasure(kept).count == 42)
    #expect(try MaskCleanUp(minimumArea: 120)(islands, pixelArea: 4) == islands)
  }

  @Test func piecesThatTouchAtACornerAreOne() throws {
    let mask = drawn("##..", "##..", "..#.", "...#")
    #expect(try MaskCleanUp(minimumArea: 6)(mask) == mask)
  }

  @Test func smallHolesAreFilled() throws {
    let mask = drawn("########", "#.##..##", "####..##", "########", "##.#####")
    let filled = try MaskCleanUp(maximumHole: 4)(mask)
    // One pixel is filled, four stay; what reaches the border is no hole.
    #expect(filled == drawn("########", "####..##", "####..##", "########", "##.#####"))
    let more = try MaskCleanUp(maximumHole: 5)(mask)
    #expect(more == drawn("########", "########", "########", "########", "##.#####"))
  }

  @Test func holesThatTouchAtACornerAreTwo() throws {
    let mask = drawn("####", "#.##", "##.#", "####")
    #expect(MaskMeasure(try MaskCleanUp(maximumHole: 2)(mask)).count == 16)
  }

  private static let clicks: [([(Double, Double)], [Range<Int>])] = [
    ([(3, 4)], [2..<7]), ([(19.9, 14.9)], [14..<20]), ([(3, 4), (15, 9)], [2..<7, 14..<20]),
    // Beside both: the nearer one. No click: all.
    ([(0, 0)], [2..<7]), ([(22, 16)], [14..<20]), ([], [2..<7, 14..<20]),
  ]

  @Test(arguments: clicks)
  func theClickedPieceStays(_ clicks: [(Double, Double)], _ kept: [Range<Int>]) throws {
    let cleanUp = MaskCleanUp(keepsClicked: true)
    let result = try cleanUp(
      TestMask.twoIslands.image, clicks: clicks.map { (x: $0.0, y: $0.1) })
    let columns = Set((0..<result.pixels.count).filter { result.pixels[$0] == 255 }.map { $0 % 23 })
    #expect(columns == Set(kept.flatMap { Array($0) }))
  }

  @Test func aSoftRimGoesWithItsPiece() throws {
    // Two bumps with soft feet that meet in the middle.
    let profile: [UInt8] = [0, 40, 200, 90, 30, 30, 90, 220, 230, 90, 0]
    let mask = PixelImage(
      width: profile.count, height: 1, channels: 1, pixels: profile)
    let result = try MaskCleanUp(minimumArea: 2)(mask)
    #expect(result.pixels == [0, 0, 0, 0, 0, 30, 90, 220, 230, 90, 0])
  }

  @Test func aFilledHoleIsFilledToItsRim() throws {
    let profile: [UInt8] = [0, 0, 255, 255, 180, 60, 180, 255, 255, 0, 0]
    var pixels = [UInt8](repeating: 0, count: 11 * 5)
    for x in 2..<9 { for y in 0..<5 { pixels[y * 11 + x] = 255 } }
    for (x, value) in profile.enumerated() { pixels[2 * 11 + x] = value }
    let mask = PixelImage(width: 11, height: 5, channels: 1, pixels: pixels)
    let result = try MaskCleanUp(maximumHole: 10)(mask)
    #expect((2..<9).allSatisfy { result[$0, 2, 0] == 255 })
  }

  @Test func smoothingRoundsCornersAndKeepsTheSize() throws {
    // A square with teeth.
    let mask = maskImage(width: 60, height: 60) { x, y in
      (15..<45).contains(x) && (15 + x % 2 * 3..<45).contains(y)
    }
    let smooth = try MaskCleanUp(smoothing: 3)(mask)
    let rows = (26..<34).map { x in (0..<60).count { smooth[x, $0, 0] >= 128 } }
    // The teeth have become a line in their middle.
    #expect(rows.allSatisfy { (28...29).contains($0) })
    #expect(smooth[15, 15, 0] < 128)
    #expect(smooth[30, 30, 0] == 255)
  }

  @Test(arguments: TestMask.allCases) func everyShapeIsSmoothed(_ mask: TestMask) throws {
    let smooth = try MaskCleanUp(smoothing: 1)(mask.image)
    if mask == .empty || mask == .full { #expect(smooth == mask.image) }
    let kept = smooth.pixels.count { $0 >= 128 }
    #expect(mask == .onePixel ? kept == 0 : abs(kept - mask.area) <= mask.area / 8)
  }

  @Test(arguments: [-1, .nan, 1e6]) func aSmoothingOutOfRangeIsAnError(_ value: Double) {
    #expect(throws: EditingError.self) {
      try MaskCleanUp(smoothing: value)(TestMask.ring.image)
    }
  }

  @Test func aMaskInColourIsAnError() {
    #expect(throws: EditingError.notGray(what: "a mask to clean up", channels: 3)) {
      try MaskCleanUp(minimumArea: 1)(PixelImage(width: 2, height: 2, channels: 3, repeating: 0))
    }
  }
}
