import SamEditing
import SamImageIO
import Testing

struct CutOutTests {
  private static let width = TestMask.width
  private static let height = TestMask.height

  private func cut(
    _ picture: PixelImage, _ mask: PixelImage, _ options: CutOutOptions = CutOutOptions()
  ) throws -> PixelImage {
    try CutOut(of: picture, masks: [AlphaLayer(mask: mask)], options: options).render()
  }

  /// Mask and picture as they are.
  private let plain = CutOutOptions(edgeReach: 0, cleanEdges: false)

  @Test func plainCutOutsKeepColoursAndMask() throws {
    let picture = PixelImage(
      width: 2, height: 2, channels: 3, pixels: [10, 20, 30, 40, 50, 60, 70, 80, 90, 1, 2, 3])
    let mask = PixelImage(width: 2, height: 2, channels: 1, pixels: [0, 64, 128, 255])
    #expect(
      try cut(picture, mask, plain).pixels
        == [0, 0, 0, 0, 40, 50, 60, 64, 70, 80, 90, 128, 1, 2, 3, 255])
  }

  @Test func alphaThatWasThereStaysWhereItIsSmaller() throws {
    let picture = PixelImage(width: 2, height: 1, channels: 4, pixels: [1, 2, 3, 50, 4, 5, 6, 255])
    let mask = PixelImage(width: 2, height: 1, channels: 1, pixels: [200, 100])
    let result = try cut(picture, mask, plain)
    #expect([3, 7].map { result.pixels[$0] } == [50, 100])
  }

  @Test(arguments: TestMask.allCases, [1, 3, 4])
  func everyShapeIsCutOutOfEveryPicture(_ mask: TestMask, _ channels: Int) throws {
    var picture = noisePicture(width: Self.width, height: Self.height, channels: channels)
    if channels == 4 {
      picture = picture.converted(toChannels: 3).converted(toChannels: 4)
    }
    let result = try cut(picture, mask.image)
    #expect(result.width == Self.width && result.height == Self.height)
    guard mask != .full else {
      #expect(result == picture.converted(toChannels: 3))
      return
    }
    #expect(result.channels == 4)
    let isSeen = (0..<Self.width * Self.height).map { result.pixels[$0 * 4 + 3] > 0 }
    #expect(isSeen.contains(true) == (mask != .empty))
  }

  @Test(arguments: TestMask.allCases)
  func trimmingKeepsAllThatIsSeen(_ mask: TestMask) throws {
    let picture = PixelImage(
      width: Self.width, height: Self.height, channels: 3, repeating: 90)
    let options = CutOutOptions(trim: true, padding: 2, edgeReach: 0, cleanEdges: false)
    let result = try cut(picture, mask.image, options)
    let measure = MaskMeasure(mask.image)
    let inside =
      mask == .empty
      ? (Self.width, Self.height)
      : (measure.columns.count, measure.rows.count)
    #expect(result.width == inside.0 + 4 && result.height == inside.1 + 4)
    let seen = (0..<result.width * result.height).count { result.pixels[$0 * 4 + 3] == 255 }
    #expect(seen == mask.area)
  }

  @Test func holesStayHoles() throws {
    let picture = PixelImage(width: Self.width, height: Self.height, channels: 3, repeating: 90)
    let result = try cut(picture, TestMask.ring.image)
    #expect(result[11, 8, 3] == 0)
    #expect(result[11, 3, 3] > 200)
  }

  /// A bright object on a dark ground, its edge blended and its mask too large by a pixel.
  private func blendedDisc() -> (picture: PixelImage, mask: PixelImage) {
    let side = 80
    var pixels: [UInt8] = []
    for index in 0..<side * side {
      let dx = Double(index % side) - 40
      let dy = Double(index / side) - 40
      let cover = min(1, max(0, (24 - (dx * dx + dy * dy).squareRoot()) / 3 + 0.5))
      for (object, ground) in [(230.0, 20.0), (200, 40), (60, 140)] {
        pixels.append(UInt8((ground + (object - ground) * cover).rounded()))
      }
    }
    let mask = maskImage(width: side, height: side) { x, y in
      (x - 40) * (x - 40) + (y - 40) * (y - 40) <= 25 * 25
    }
    return (PixelImage(width: side, height: side, channels: 3, pixels: pixels), mask)
  }

  @Test func noHaloOfTheOldBackgroundIsLeft() throws {
    let (picture, mask) = blendedDisc()
    let result = try cut(picture, mask, CutOutOptions(edgeReach: 4))
    var worst = 0
    for index in 0..<80 * 80 where result.pixels[index * 4 + 3] > 25 {
      // Blue is where object and ground differ least in the wrong direction: the halo would be blue.
      worst = max(worst, Int(result.pixels[index * 4 + 2]) - 60)
    }
    #expect(worst <= 12, "the bluest pixel has \(worst) too much")
    let untreated = try cut(picture, mask, CutOutOptions(edgeReach: 0))
    #expect((0..<80 * 80).contains { untreated.pixels[$0 * 4 + 2] > 100 })
  }

  @Test func blendingBackOverTheOldBackgroundGivesThePicture() throws {
    let (picture, mask) = blendedDisc()
    let ground = SamColor(red: 20, green: 40, blue: 140)
    let result = try cut(
      picture, mask, CutOutOptions(background: .color(ground), edgeReach: 4))
    let error = zip(result.pixels, picture.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(error <= 12, "off by \(error)")
  }

  @Test func aPictureBehindCoversTheResult() throws {
    let picture = PixelImage(width: 8, height: 4, channels: 3, repeating: 10)
    let mask = PixelImage(width: 8, height: 4, channels: 1, repeating: 0)
    // Left half red, right half green, three times as large.
    let behind = PixelImage(
      width: 24, height: 24, channels: 3,
      pixels: (0..<24 * 24).flatMap { $0 % 24 < 12 ? [200, 0, 0] : [0, 200, 0] })
    let result = try cut(picture, mask, CutOutOptions(background: .image(behind)))
    #expect(result.channels == 3)
    #expect(Array(result[0, 0]) == [200, 0, 0] && Array(result[7, 3]) == [0, 200, 0])
  }

  @Test func aPictureBehindGrowsSmoothly() throws {
    let picture = PixelImage(width: 8, height: 1, channels: 1, repeating: 10)
    let mask = PixelImage(width: 8, height: 1, channels: 1, repeating: 0)
    let behind = PixelImage(width: 2, height: 1, channels: 1, pixels: [0, 200])
    let result = try cut(picture, mask, CutOutOptions(background: .image(behind)))
    #expect((0..<8).map { result[$0, 0, 0] } == [0, 0, 25, 75, 125, 175, 200, 200])
  }

  @Test func colourDoesNotSeepOutOfClearPixelsBehind() throws {
    let picture = PixelImage(width: 4, height: 1, channels: 1, repeating: 10)
    let mask = PixelImage(width: 4, height: 1, channels: 1, repeating: 0)
    // Red that is seen beside green that is not.
    let behind = PixelImage(
      width: 2, height: 1, channels: 4, pixels: [250, 0, 0, 255, 0, 250, 0, 0])
    let result = try cut(picture, mask, CutOutOptions(background: .image(behind)))
    for x in 0..<3 { #expect(Array(result[x, 0].prefix(3)) == [250, 0, 0]) }
    #expect((0..<4).map { result[$0, 0, 3] } == [255, 191, 64, 0])
  }

  @Test func theOwnPictureBehindIsThePicture() throws {
    let picture = noisePicture(width: Self.width, height: Self.height)
    for mask in TestMask.allCases {
      let result = try cut(picture, mask.image, CutOutOptions(background: .picture))
      let error = zip(result.pixels, picture.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(error <= 1 || mask != .empty && mask != .full && error < 160, "\(mask): \(error)")
    }
  }

  @Test func aMaskOfAnotherSizeIsAnError() {
    let picture = PixelImage(width: 4, height: 4, channels: 3, repeating: 0)
    let mask = PixelImage(width: 4, height: 5, channels: 1, repeating: 255)
    #expect(
      throws: EditingError.sizeMismatch(
        what: "a mask for a picture", wantedWidth: 4, wantedHeight: 4, actualWidth: 4,
        actualHeight: 5)
    ) { try cut(picture, mask) }
  }

  @Test(arguments: [-1, 100_001]) func paddingOutOfRangeIsAnError(_ padding: Int) {
    let picture = PixelImage(width: 4, height: 4, channels: 3, repeating: 0)
    let mask = PixelImage(width: 4, height: 4, channels: 1, repeating: 255)
    #expect(
      throws: EditingError.invalidOption(
        name: "padding", value: "\(padding)", wanted: "a whole number from 0 to 100000")
    ) { try cut(picture, mask, CutOutOptions(padding: padding)) }
  }
}
