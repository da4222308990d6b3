import SamEditing
import SamImageIO
import Testing

struct ShimmerTests {
  private func animation(
    _ mask: PixelImage, _ shimmer: Shimmer = Shimmer(width: 2, frameCount: 12),
    _ background: SamBackground = .color(.black)
  ) throws -> PixelAnimation {
    let picture = PixelImage(width: mask.width, height: mask.height, channels: 3, repeating: 90)
    return try CutOut(
      of: picture, masks: [AlphaLayer(mask: mask)],
      options: CutOutOptions(background: background, edgeReach: 0, cleanEdges: false),
      shimmer: shimmer
    ).animate()
  }

  /// What is seen at each frame.
  private func shown(_ animation: PixelAnimation) -> [PixelImage] {
    var canvas = animation.frames[0].image
    return animation.frames.map { frame in
      for y in 0..<frame.image.height {
        for x in 0..<frame.image.width {
          if frame.blending == .over, frame.image[x, y, 3] == 0 { continue }
          for channel in 0..<4 {
            canvas[frame.left + x, frame.top + y, channel] = frame.image[x, y, channel]
          }
        }
      }
      return canvas
    }
  }

  @Test(arguments: TestMask.allCases) func everyShapeIsAnimated(_ mask: TestMask) throws {
    for background in [SamBackground.transparent, .picture] {
      let animation = try animation(mask.image, Shimmer(frameCount: 5), background)
      #expect(animation.frames.count == 5)
      #expect(animation.width == TestMask.width && animation.height == TestMask.height)
    }
  }

  @Test func theLightTravelsRoundTheOutline() throws {
    let disc = maskImage(width: 80, height: 80) { x, y in
      (x - 40) * (x - 40) + (y - 40) * (y - 40) <= 25 * 25
    }
    let frames = shown(try animation(disc))
    // Where the brightest pixel just outside the disc lies, as an angle.
    let sectors = frames.map { frame -> Int in
      var best = (sector: 0, light: 0)
      for (sector, (dx, dy)) in [(1, 0), (0, 1), (-1, 0), (0, -1)].enumerated() {
        let light = Int(frame[40 + dx * 27, 40 + dy * 27, 0])
        if light > best.light { best = (sector, light) }
      }
      return best.sector
    }
    // It starts at the top and goes round clockwise, once.
    #expect(Set(sectors).count == 4)
    let turns = zip(sectors, sectors.dropFirst()).map { ($1 - $0 + 4) % 4 }
    #expect(turns.allSatisfy { $0 <= 1 })
    #expect(turns.reduce(0, +) == 3)
  }

  @Test func theRestOfThePictureStaysAsItIs() throws {
    let disc = maskImage(width: 80, height: 80) { x, y in
      (x - 40) * (x - 40) + (y - 40) * (y - 40) <= 25 * 25
    }
    for frame in shown(try animation(disc)) {
      #expect(Array(frame[40, 40]) == [90, 90, 90, 255])
      #expect(Array(frame[2, 2]) == [0, 0, 0, 255])
    }
  }

  @Test(arguments: [
    Shimmer(width: -1), Shimmer(length: 0), Shimmer(length: .nan), Shimmer(frameCount: 1),
    Shimmer(frameCount: 1000), Shimmer(millisecondsPerFrame: 0),
  ])
  func numbersOutOfRangeAreErrors(_ shimmer: Shimmer) {
    #expect(throws: EditingError.self) { try animation(TestMask.ring.image, shimmer) }
  }
}
