import SamEditing
import SamImageIO
import Testing

struct GuidedFilterTests {
  /// A picture of two colours that meet at column `edge`.
  static func twoColours(
    width: Int, height: Int, edge: Int, left: [UInt8] = [200, 40, 30],
    right: [UInt8] = [30, 60, 190]
  ) -> PixelImage {
    var pixels: [UInt8] = []
    for _ in 0..<height {
      for x in 0..<width { pixels += x < edge ? left : right }
    }
    return PixelImage(width: width, height: height, channels: left.count, pixels: pixels)
  }

  /// Logits that fall from 3 to −3 in a ramp of 16 columns round `centre`.
  static func ramp(width: Int, height: Int, centre: Double) -> [Float] {
    let row = (0..<width).map { x in
      Float(min(max((centre - Double(x) - 0.5) * 3 / 8, -3), 3))
    }
    return (0..<height).flatMap { _ in row }
  }

  static func refined(
    _ picture: PixelImage, _ logits: [Float], samples: (width: Int, height: Int),
    sampledLogits: [Float], radius: Int
  ) -> [Float] {
    let mask = GuidedFilter(
      picture: picture, width: samples.width, height: samples.height,
      options: .init(radius: radius)
    ).fit(sampledLogits)
    var output = [Float](repeating: .nan, count: logits.count)
    let width = picture.width
    logits.withUnsafeBufferPointer { logits in
      output.withUnsafeMutableBufferPointer { output in
        guard let source = logits.baseAddress, let target = output.baseAddress else { return }
        for y in 0..<picture.height {
          mask.refineRow(y, logits: source + y * width, output: target + y * width)
        }
      }
    }
    return output
  }

  /// The mask's edge is four columns off; the picture says where it belongs.
  @Test(arguments: [1, 2])
  func theEdgeMovesToThePicturesEdge(step: Int) {
    let (width, height) = (64, 48)
    let picture = Self.twoColours(width: width, height: height, edge: 32)
    let samples = (width: width / step, height: height / step)
    let output = Self.refined(
      picture, Self.ramp(width: width, height: height, centre: 36), samples: samples,
      sampledLogits: Self.ramp(
        width: samples.width, height: samples.height, centre: 36 / Double(step)),
      radius: 10 / step)
    for y in 0..<height {
      let row = output[y * width..<(y + 1) * width].map { $0 > 0 }
      #expect(row == (0..<width).map { $0 < 32 })
    }
  }

  @Test func aFlatPictureLeavesTheMaskWhereItIs() {
    let (width, height) = (64, 24)
    let picture = Self.twoColours(
      width: width, height: height, edge: 0, right: [120, 120, 120])
    let logits = Self.ramp(width: width, height: height, centre: 30)
    let output = Self.refined(
      picture, logits, samples: (width, height), sampledLogits: logits, radius: 4)
    for (before, after) in zip(logits, output) where abs(before) > 0.5 {
      #expect((before > 0) == (after > 0))
    }
  }

  @Test func sureLogitsStayWhatTheyAre() {
    let (width, height) = (40, 20)
    let picture = Self.twoColours(width: width, height: height, edge: 20)
    // Sure of the opposite of what the colours suggest, with one unsure column.
    var logits = [Float](repeating: -9, count: width * height)
    for y in 0..<height {
      for x in 0..<10 { logits[y * width + x] = 12 }
      logits[y * width + 10] = 0
    }
    let output = Self.refined(
      picture, logits, samples: (width, height), sampledLogits: logits, radius: 5)
    for index in logits.indices where index % width != 10 {
      #expect(output[index] == logits[index])
    }
  }

  @Test func grayAndEqualColoursAgree() {
    let (width, height) = (48, 32)
    let gray = Self.twoColours(
      width: width, height: height, edge: 24, left: [210], right: [60])
    let colour = gray.converted(toChannels: 3)
    let logits = Self.ramp(width: width, height: height, centre: 27)
    let first = Self.refined(
      gray, logits, samples: (24, 16),
      sampledLogits: Self.ramp(width: 24, height: 16, centre: 13.5), radius: 4)
    let second = Self.refined(
      colour, logits, samples: (24, 16),
      sampledLogits: Self.ramp(width: 24, height: 16, centre: 13.5), radius: 4)
    #expect(first == second)
  }

  @Test func notANumberStaysAndHarmsNobody() {
    let (width, height) = (32, 8)
    let picture = Self.twoColours(width: width, height: height, edge: 16)
    var logits = Self.ramp(width: width, height: height, centre: 16)
    logits[5] = .nan
    let output = Self.refined(
      picture, logits, samples: (width, height), sampledLogits: logits, radius: 4)
    #expect(output[5].isNaN)
    #expect(output.enumerated().allSatisfy { $0.offset == 5 || $0.element.isFinite })
  }

  @Test func onePixelIsEnough() {
    let picture = PixelImage(width: 1, height: 1, channels: 3, pixels: [9, 8, 7])
    let output = Self.refined(
      picture, [0.5], samples: (1, 1), sampledLogits: [0.5], radius: 1)
    #expect(output[0] > 0 && output[0].isFinite)
  }
}
