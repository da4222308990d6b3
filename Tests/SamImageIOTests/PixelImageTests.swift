import SamImageIO
import Testing

struct PixelImageTests {
  @Test func subscriptsReadAndWriteInPlace() {
    var picture = gradient(width: 5, height: 4, channels: 3)
    #expect(picture.bytesPerRow == 15)
    #expect(picture[2, 3, 1] == picture.pixels[(3 * 5 + 2) * 3 + 1])
    #expect(Array(picture[4, 0]) == Array(picture.pixels[12..<15]))
    let copy = picture
    picture[2, 3, 1] ^= 0xFF
    #expect(picture[2, 3, 1] == ~copy[2, 3, 1])
    #expect(picture != copy)
    picture.withUnsafeMutablePixels { $0[(3 * 5 + 2) * 3 + 1] ^= 0xFF }
    #expect(picture == copy)
  }

  @Test func convertsBetweenChannels() {
    let gray = PixelImage(width: 2, height: 1, channels: 1, pixels: [7, 200])
    #expect(gray.converted(toChannels: 1) == gray)
    #expect(gray.converted(toChannels: 3).pixels == [7, 7, 7, 200, 200, 200])
    #expect(gray.converted(toChannels: 4).pixels == [7, 7, 7, 255, 200, 200, 200, 255])
    let color = PixelImage(width: 2, height: 1, channels: 4, pixels: [1, 2, 3, 4, 250, 150, 50, 0])
    #expect(color.converted(toChannels: 3).pixels == [1, 2, 3, 250, 150, 50])
    // Pillow's convert("L") of the same.
    #expect(color.converted(toChannels: 1).pixels == [2, 168])
    let opaque = PixelImage(width: 1, height: 1, channels: 3, pixels: [9, 8, 7])
    #expect(opaque.converted(toChannels: 4).pixels == [9, 8, 7, 255])
    #expect(opaque.converted(toChannels: 4).converted(toChannels: 3) == opaque)
  }

  @Test func flattensAlpha() {
    let picture = PixelImage(
      width: 3, height: 1, channels: 4, pixels: [10, 20, 30, 0, 10, 20, 30, 255, 100, 100, 100, 51])
    #expect(picture.flattened().pixels == [255, 255, 255, 10, 20, 30, 224, 224, 224])
    #expect(picture.flattened(over: 0).pixels == [0, 0, 0, 10, 20, 30, 20, 20, 20])
    let opaque = picture.flattened()
    #expect(opaque.flattened() == opaque)
  }

  @Test func describesItself() {
    #expect("\(gradient(width: 5, height: 4, channels: 3))" == "5×4 RGB picture")
    #expect("\(gradient(width: 1, height: 1, channels: 4))" == "1×1 RGBA picture")
    #expect("\(gradient(width: 1, height: 2, channels: 1))" == "1×2 gray picture")
  }

  @Test(arguments: [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], ImageFormat.png),
    ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0A, 0x0A, 0x1A, 0x0A], nil),
    ([0x47, 0x49, 0x46, 0x38], nil), ([], nil), ([0xFF, 0xD8], nil),
  ])
  func recognisesFormatsByContent(bytes: [UInt8], format: ImageFormat?) {
    #expect(ImageFormat(firstBytes: bytes) == format)
  }
}
