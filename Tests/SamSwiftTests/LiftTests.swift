import Foundation
import SamSwift
import SamTestSupport
import Testing

/// What is done with the masks of a session.
struct LiftTests {
  private static let session = Result {
    let session = try SamSession()
    try session.setImage(TestPhotos.url("coffee.png"))
    return session
  }

  private let click = SamPoint(x: 300, y: 180)

  private func cup(_ quality: SamQuality = .accurate) async throws -> SamMask {
    try await Self.session.get().predict(points: [click], options: .init(quality: quality)).best
  }

  private func picture() throws -> PixelImage { try #require(try Self.session.get().image) }

  @Test(arguments: SamQuality.allCases)
  func masksOfEveryQualityAreLifted(_ quality: SamQuality) async throws {
    let picture = try picture()
    let mask = try await cup(quality)
    let cut = try mask.extractObject(
      from: picture, options: CutOutOptions(background: .color(.white)))
    #expect(cut.width == 600 && cut.height == 400 && cut.channels == 3)
    #expect(Array(cut[20, 20]) == [255, 255, 255])
    let inside = zip(cut[300, 180], picture[300, 180]).map { abs(Int($0) - Int($1)) }
    #expect((inside.max() ?? 255) <= 1)
  }

  @Test func effectsChangeTheBackgroundOnly() async throws {
    let picture = try picture()
    let lit = try await cup().extractObject(
      from: picture, options: CutOutOptions(background: .picture, effects: [.highlight()]))
    #expect(abs(Int(lit[20, 20, 0]) - Int(picture[20, 20, 0]) / 4) <= 1)
    #expect(Array(lit[300, 180]) == Array(picture[300, 180]))
  }

  @Test func anOptionOutOfRangeIsNamed() async throws {
    let mask = try await cup(.fast)
    let picture = try picture()
    #expect(
      throws: SamSwiftError.editing(
        .invalidOption(
          name: "padding", value: "-1", wanted: "a whole number from 0 to 100000"))
    ) { try mask.extractObject(from: picture, options: CutOutOptions(padding: -1)) }
  }

  @Test func aShimmerMoves() async throws {
    let animation = try SamMask.animateObject(
      from: picture(), masks: [await cup()], shimmer: Shimmer(frameCount: 4))
    #expect(animation.frames.count == 4 && animation.width == 600)
    #expect(animation.frames[1].image.pixels.contains { $0 != 0 })
  }

  @Test(arguments: [SamBackground.picture, .transparent])
  func aShimmerWrittenInPiecesIsTheSameFile(_ background: SamBackground) async throws {
    let masks = [try await cup()]
    let options = CutOutOptions(background: background, trim: true)
    let animation = try SamMask.animateObject(
      from: picture(), masks: masks, shimmer: Shimmer(frameCount: 5), options: options)
    var file = Data()
    try SamMask.writeAnimation(
      from: picture(), masks: masks, shimmer: Shimmer(frameCount: 5), options: options
    ) { file += $0 }
    #expect(try file == ImageEncoder.encode(animation))
  }

  private struct Refusal: Error {}

  @Test(arguments: [0, 1, 3])
  func aShimmerThatCannotBeWrittenStops(_ pieces: Int) async throws {
    let masks = [try await cup(.fast)]
    var count = 0
    #expect(throws: Refusal.self) {
      try SamMask.writeAnimation(
        from: picture(), masks: masks, shimmer: Shimmer(), options: CutOutOptions()
      ) { _ in
        guard count < pieces else { throw Refusal() }
        count += 1
      }
    }
    #expect(count == pieces)
  }

  @Test(arguments: SamQuality.allCases)
  func exportsAreInPixelsOfThePicture(_ quality: SamQuality) async throws {
    let mask = try await cup(quality)
    let full = try mask.atPictureSize()
    #expect(full.width == 600 && full.height == 400)
    let runs = try mask.runLengths()
    #expect(runs.width == 600 && runs.height == 400)
    #expect(runs.area == full.area)
    let exact = try mask.outline(tolerance: 0)
    #expect(exact.polygons.reduce(0) { $0 + $1.area } == Double(runs.area))
    let simple = try mask.outline()
    let points = { (outline: MaskOutline) in outline.rings.reduce(0) { $0 + $1.points.count } }
    #expect(points(simple) < points(exact) / 2)
  }

  @Test(arguments: [SamQuality.fast, .accurate])
  func cleaningKeepsTheClickedPiece(_ quality: SamQuality) async throws {
    let mask = try await cup(quality)
    let clean = try mask.cleaned(
      MaskCleanUp(maximumHole: 100_000, keepsClicked: true), points: [click])
    let outline = try clean.outline(tolerance: 0)
    #expect(outline.polygons.count == 1)
    #expect(clean.width == mask.width)
    let kept = try #require(clean.boundingBox)
    #expect(kept.x0 < click.x && kept.x1 > click.x && kept.y0 < click.y && kept.y1 > click.y)
  }
}
