import Foundation
import SamImageIO
import SamTestSupport
import Testing

struct PNGDecoderTests {
  @Test func allGoldensAreListed() {
    #expect(ExpectedPicture.all.count == 49)
  }

  @Test(arguments: ExpectedPicture.all)
  func decodesEveryKindBitForBit(_ expected: ExpectedPicture) throws {
    let picture = try ImageDecoder().decode(contentsOf: Goldens.url(expected.name))
    #expect(picture.width == expected.width)
    #expect(picture.height == expected.height)
    #expect(picture.channels == expected.channels)
    #expect(crc32(picture.pixels) == expected.checksum)
  }

  @Test(arguments: ExpectedPicture.all)
  func decodesFromMemoryAsFromAFile(_ expected: ExpectedPicture) throws {
    let url = Goldens.url(expected.name)
    let decoder = ImageDecoder()
    #expect(try decoder.decode(Data(contentsOf: url)) == decoder.decode(contentsOf: url))
  }

  /// The one kind that is not exact: colours come multiplied by alpha.
  @Test(arguments: ["gray_alpha16", "rgba16"])
  func decodesInterlaced16BitAlphaNearly(_ name: String) throws {
    let expected = try ImageDecoder().decode(contentsOf: Goldens.url(name + ".png"))
    let actual = try ImageDecoder().decode(contentsOf: Goldens.url(name + "_interlaced.png"))
    #expect(actual.width == 29 && actual.height == 19 && actual.channels == 4)
    for y in 0..<19 {
      for x in 0..<29 {
        #expect(actual[x, y, 3] == expected[x, y, 3])
        for channel in 0..<3 where expected[x, y, 3] > 0 {
          #expect(abs(Int(actual[x, y, channel]) - Int(expected[x, y, channel])) <= 1)
        }
      }
    }
  }

  @Test func readsThePhotographsThatItWrites() throws {
    let photo = try ImageDecoder().decode(contentsOf: TestPhotos.url("coffee.png"))
    #expect(photo.width == 600 && photo.height == 400 && photo.channels == 3)
    #expect(try ImageDecoder().decode(ImageEncoder.encode(photo, as: .png)) == photo)
  }
}
