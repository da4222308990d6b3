import SamEditing
import SamImageIO
import Testing

struct EffectTests {
  private static let width = TestMask.width
  private static let height = TestMask.height
  private static let effects: [SubjectEffect] = [
    .highlight(), .gray(), .blur(radius: 3), .blur(radius: 0), .glow(), .sticker(),
    .glow(.init(width: 0, blur: 0)), .sticker(.init(width: 0, shadow: 0)),
  ]

  private func lift(
    _ picture: PixelImage, _ mask: PixelImage, _ effects: [SubjectEffect],
    _ background: SamBackground = .picture
  ) throws -> PixelImage {
    try CutOut(
      of: picture, masks: [AlphaLayer(mask: mask)],
      options: CutOutOptions(
        background: background, effects: effects, edgeReach: 0, cleanEdges: false)
    ).render()
  }

  @Test(arguments: TestMask.allCases, effects)
  func everyEffectTakesEveryShape(_ mask: TestMask, _ effect: SubjectEffect) throws {
    let picture = noisePicture(width: Self.width, height: Self.height)
    let result = try lift(picture, mask.image, [effect])
    #expect(result.width == Self.width && result.height == Self.height && result.channels == 3)
    // The object itself is never touched.
    for index in 0..<Self.width * Self.height where mask.image.pixels[index] == 255 {
      #expect(result.pixels[index * 3..<index * 3 + 3] == picture.pixels[index * 3..<index * 3 + 3])
    }
  }

  private let onePixel = maskImage(width: 41, height: 41) { $0 == 20 && $1 == 20 }
  private let flat = PixelImage(
    width: 41, height: 41, channels: 3,
    pixels: (0..<41 * 41).flatMap { _ -> [UInt8] in [200, 100, 40] })

  @Test func highlightDimsTheBackground() throws {
    let result = try lift(flat, onePixel, [.highlight(brightness: 0.5)])
    #expect(Array(result[3, 3]) == [100, 50, 20])
    #expect(Array(result[20, 20]) == [200, 100, 40])
  }

  @Test func grayKeepsTheBrightness() throws {
    let result = try lift(flat, onePixel, [.gray()])
    #expect(Array(result[3, 3]) == [123, 123, 123])
    let half = try lift(flat, onePixel, [.gray(amount: 0.5)])
    #expect(Array(half[3, 3]) == [162, 112, 82])
  }

  @Test func blurTakesNothingOfTheObjectAlong() throws {
    // A white object on black: an ordinary blur would leave a bright seam round it.
    let mask = maskImage(width: 60, height: 50) { x, y in (20..<40).contains(x) && y > 10 }
    let picture = mask.converted(toChannels: 3)
    let result = try lift(picture, mask, [.blur(radius: 6)])
    #expect(result == picture)
  }

  @Test(arguments: [1.0, 4, 13]) func blurIsAsWideAsAsked(_ radius: Double) throws {
    // A step is blurred into a Gaussian's integral.
    let picture = PixelImage(
      width: 120, height: 30, channels: 3,
      pixels: (0..<120 * 30).flatMap { index -> [UInt8] in
        [UInt8](repeating: index % 120 < 60 ? 0 : 200, count: 3)
      })
    let nothing = PixelImage(width: 120, height: 30, channels: 1, repeating: 0)
    let result = try lift(picture, nothing, [.blur(radius: radius)])
    let row = (0..<120).map { Double(result[$0, 15, 0]) }
    // Of a Gaussian, 84.1 % lie below one standard deviation.
    let reached = row.firstIndex { $0 >= 200 * 0.841 } ?? 0
    #expect(abs(Double(reached) - 59.5 - radius) <= 1 + radius * 0.12, "at \(reached)")
    #expect(zip(row, row.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func aGlowIsALineAndLightThatFades() throws {
    let glow = SubjectEffect.Glow(width: 3, color: SamColor(red: 0, green: 255, blue: 0), blur: 9)
    let dark = PixelImage(width: 41, height: 41, channels: 3, repeating: 20)
    let result = try lift(dark, onePixel, [.glow(glow)])
    // The pixel's own edge is half a pixel from its centre.
    #expect(Array(result[22, 20]) == [0, 255, 0])
    let greens = (23...34).map { result[$0, 20, 1] }
    #expect(zip(greens, greens.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(greens[2] > 60)
    #expect(Array(result[34, 20]) == [20, 20, 20])
  }

  @Test func aStickerHasABorderOfTheAskedWidth() throws {
    let sticker = SubjectEffect.Sticker(width: 5, shadow: 0)
    let result = try lift(flat, onePixel, [.sticker(sticker)], .transparent)
    #expect(Array(result[20, 20]) == [200, 100, 40, 255])
    for index in 0..<41 * 41 {
      let (dx, dy) = (Double(index % 41 - 20), Double(index / 41 - 20))
      let distance = (dx * dx + dy * dy).squareRoot() - 0.5
      let alpha = result.pixels[index * 4 + 3]
      if distance > 5.6 { #expect(alpha == 0) }
      if distance > 0, distance < 4.4 { #expect(alpha == 255) }
    }
  }

  @Test func aShadowFallsDownwards() throws {
    let sticker = SubjectEffect.Sticker(width: 5, shadow: 0.5)
    let result = try lift(flat, onePixel, [.sticker(sticker)], .transparent)
    #expect(result[20, 29, 3] > result[20, 11, 3])
    #expect(Array(result[20, 28].prefix(3)) == [0, 0, 0])
  }

  @Test func trimmedOutlinesAreWhole() throws {
    let options = CutOutOptions(
      effects: [.sticker(.init(width: 5, shadow: 0))], trim: true, edgeReach: 0, cleanEdges: false)
    // At the very corner of the picture: the border reaches beyond it.
    let corner = maskImage(width: 41, height: 41) { $0 < 3 && $1 < 3 }
    let result = try CutOut(
      of: flat, masks: [AlphaLayer(mask: corner)], options: options
    ).render()
    let seen = (0..<result.width * result.height).count { result.pixels[$0 * 4 + 3] > 127 }
    // A square of 3, its sides and four quarter discs of 5.
    #expect(abs(Double(seen) - (9 + 4 * 15 + .pi * 25)) < 8)
  }

  @Test(arguments: [
    SubjectEffect.highlight(brightness: -0.1), .highlight(brightness: .nan), .gray(amount: 2),
    .blur(radius: -1), .blur(radius: 1e9), .glow(.init(width: -1)),
    .glow(.init(blur: .infinity)), .sticker(.init(width: 1e9)), .sticker(.init(shadow: 3)),
  ])
  func numbersOutOfRangeAreErrors(_ effect: SubjectEffect) {
    #expect(throws: EditingError.self) { try lift(flat, onePixel, [effect]) }
  }
}
