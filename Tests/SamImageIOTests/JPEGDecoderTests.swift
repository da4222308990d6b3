import Foundation
import SamImageIO
import SamTestSupport
import Testing

struct JPEGDecoderTests {
  private static let names = Goldens.names { $0.hasSuffix(".jpg") && !$0.hasPrefix("bad_") }

  @Test func allGoldensAreFound() {
    #expect(Self.names.count == 21)
  }

  /// Versions of libjpeg differ by a value or two in the cosine transform and in colour.
  @Test(arguments: names)
  func decodesEveryKindAsPillowDoes(_ name: String) throws {
    let actual = try ImageDecoder().decode(contentsOf: Goldens.url(name))
    let expected = try ImageDecoder().decode(contentsOf: Goldens.url(name + ".png"))
    #expect(actual.width == expected.width)
    #expect(actual.height == expected.height)
    #expect(actual.channels == expected.channels)
    let errors = zip(actual.pixels, expected.pixels).map { abs(Int($0) - Int($1)) }
    #expect(errors.max() ?? 255 <= 3)
    #expect(errors.reduce(0, +) <= errors.count / 4)
  }

  @Test func ignoresWhatFollowsTheEnd() throws {
    let plain = try Data(contentsOf: Goldens.url("progressive.jpg"))
    let decoder = ImageDecoder()
    #expect(try decoder.decode(plain + Data(repeating: 7, count: 300)) == decoder.decode(plain))
  }

  @Test func toleratesStrayBytesBetweenSegments() throws {
    let plain = try Data(contentsOf: Goldens.url("color_444.jpg"))
    let scan = try #require(plain.firstRange(of: Data([0xFF, 0xDB])))
    let padded = plain[..<scan.lowerBound] + Data([0, 0, 0]) + plain[scan.lowerBound...]
    let decoder = ImageDecoder()
    #expect(try decoder.decode(Data(padded)) == decoder.decode(plain))
  }

  @Test func readsAPhotograph() throws {
    let photo = try ImageDecoder().decode(contentsOf: TestPhotos.url("rocket.jpg"))
    #expect(photo.width == 640 && photo.height == 427 && photo.channels == 3)
  }
}
