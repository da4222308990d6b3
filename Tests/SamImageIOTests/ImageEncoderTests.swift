import Foundation
import SamImageIO
import SamTestSupport
import Testing

struct ImageEncoderTests {
  @Test(arguments: [1, 3, 4], [(1, 1), (1, 700), (700, 1), (37, 23), (256, 256)])
  func pngKeepsEveryValue(channels: Int, size: (Int, Int)) throws {
    let picture = gradient(width: size.0, height: size.1, channels: channels)
    #expect(try ImageDecoder().decode(ImageEncoder.encode(picture, as: .png)) == picture)
  }

  /// Random values do not compress: the file is longer than the pixels.
  @Test func pngHoldsWhatDoesNotCompress() throws {
    var random = SeededGenerator(seed: 3)
    let picture = PixelImage(
      width: 301, height: 200, channels: 4,
      pixels: (0..<301 * 200 * 4).map { _ in UInt8.random(in: 0...255, using: &random) })
    let data = try ImageEncoder.encode(picture, as: .png)
    #expect(data.count > picture.pixels.count)
    #expect(try ImageDecoder().decode(data) == picture)
  }

  @Test(arguments: [1, 3])
  func jpegKeepsSmoothPicturesNearly(channels: Int) throws {
    let picture = smooth(width: 61, height: 47, channels: channels)
    let data = try ImageEncoder.encode(picture, as: .jpeg(quality: 98))
    #expect(ImageFormat(firstBytes: data) == .jpeg)
    let again = try ImageDecoder().decode(data)
    #expect(again.width == 61 && again.height == 47 && again.channels == channels)
    let errors = zip(picture.pixels, again.pixels).map { abs(Int($0) - Int($1)) }
    #expect(errors.reduce(0, +) <= errors.count * 3)
  }

  @Test func jpegQualityTradesBytes() throws {
    let picture = smooth(width: 200, height: 200, channels: 3)
    let sizes = try [10, 50, 80, 95, 100].map {
      try ImageEncoder.encode(picture, as: .jpeg(quality: $0)).count
    }
    #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
  }

  @Test func jpegLaysAlphaOverWhite() throws {
    var picture = PixelImage(width: 32, height: 32, channels: 4, repeating: 0)
    for y in 0..<32 {
      for x in 16..<32 { picture[x, y, 3] = 255 }
    }
    let flat = try ImageDecoder().decode(ImageEncoder.encode(picture, as: .jpeg(quality: 100)))
    #expect(flat.channels == 3)
    #expect(flat[2, 16, 0] > 250 && flat[30, 16, 0] < 5)
  }

  @Test(arguments: [0, -1, 101])
  func jpegRefusesAnImpossibleQuality(_ quality: Int) {
    let picture = smooth(width: 8, height: 8, channels: 3)
    #expect(
      throws: ImageIOError.notEncodable(
        format: .jpeg, detail: "quality \(quality) is not within 1 to 100")
    ) {
      try ImageEncoder.encode(picture, as: .jpeg(quality: quality))
    }
  }

  @Test(arguments: [(ImageFormat.jpeg, 65501), (.png, 1_000_001)])
  func refusesWhatTheFormatCannotHold(format: ImageFormat, width: Int) throws {
    let picture = PixelImage(width: width, height: 1, channels: 1, repeating: 9)
    let error = try #require(throws: ImageIOError.self) {
      try ImageEncoder.encode(picture, as: format == .png ? .png : .jpeg())
    }
    guard case .notEncodable(format, _) = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func theNameChoosesTheFormat() throws {
    let folder = try TemporaryFolder()
    let picture = smooth(width: 20, height: 10, channels: 3)
    for (name, format) in [("a.png", ImageFormat.png), ("b.JPG", .jpeg), ("c.jpeg", .jpeg)] {
      try ImageEncoder.write(picture, to: folder.file(name))
      #expect(try ImageDecoder().probe(contentsOf: folder.file(name)).format == format)
    }
    let odd = folder.file("d.gif")
    #expect(throws: ImageIOError.unknownOutputFormat(file: odd.path)) {
      try ImageEncoder.write(picture, to: odd)
    }
    try ImageEncoder.write(picture, to: odd, as: .png)
    #expect(try ImageDecoder().decode(contentsOf: odd) == picture)
  }
}
