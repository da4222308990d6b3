import SamModel
import Testing

/// The resizers' vectors against plain loops, at sizes about the vectors' lengths.
struct ResizeTwinTests {
  private static let sizes = [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 23, 61]

  @Test(arguments: [1, 3, 4], [(3, 2), (7, 5), (16, 15), (97, 3)])
  func openCVAreaEqualsItsTwin(channels: Int, height: (input: Int, output: Int)) throws {
    let pairs = Self.sizes.flatMap { input in
      Self.sizes.filter { $0 <= input }.map { (input, $0) }
    }
    for (input, output) in pairs + [(257, 1), (257, 3), (263, 131), (131, 130)] {
      let picture = noise(width: input, height: height.input, channels: channels)
      let resizer = OpenCVResize(
        inputWidth: input, inputHeight: height.input, outputWidth: output,
        outputHeight: height.output)
      try #require(
        resized(picture, by: resizer)
          == ResizeTwin.openCVArea(picture, width: output, height: height.output),
        "width \(input) to \(output)")
    }
  }

  /// 258 rows and more add up to what 16 bits do not hold.
  @Test(arguments: [1, 3, 4], [(1, 2), (2, 2), (3, 2), (4, 5), (2, 300), (300, 1)])
  func openCVBlocksEqualTheirTwin(channels: Int, block: (width: Int, height: Int)) throws {
    for width in Self.sizes {
      let noisy = noise(width: width * block.width, height: 3 * block.height, channels: channels)
      let white = Picture(
        width: noisy.width, height: noisy.height, channels: channels,
        pixels: noisy.pixels.map { _ in 255 })
      let resizer = OpenCVResize(
        inputWidth: noisy.width, inputHeight: noisy.height, outputWidth: width, outputHeight: 3)
      for picture in [noisy, white] {
        try #require(
          resized(picture, by: resizer)
            == ResizeTwin.openCVBlocks(picture, width: width, height: 3),
          "width \(noisy.width) to \(width)")
      }
    }
  }

  /// The heights keep, grow, shrink, shrink so far that Pillow goes down first, and both ways.
  @Test(arguments: [1, 3, 4], [(1, 1), (3, 3), (5, 9), (7, 5), (97, 3), (263, 131)])
  func pillowEqualsItsTwin(channels: Int, height: (input: Int, output: Int)) throws {
    let pairs = Self.sizes.flatMap { input in Self.sizes.map { (input, $0) } }
    for (input, output) in pairs + [(257, 1), (257, 3), (263, 131), (131, 130)] {
      let picture = noise(width: input, height: height.input, channels: channels)
      let resizer = PillowBilinearResize(
        inputWidth: input, inputHeight: height.input, outputWidth: output,
        outputHeight: height.output)
      try #require(
        resized(picture, by: resizer)
          == ResizeTwin.pillowBilinear(picture, width: output, height: height.output),
        "width \(input) to \(output)")
    }
  }
}
