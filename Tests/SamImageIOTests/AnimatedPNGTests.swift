import Foundation
import SamImageIO
import SamTestSupport
import Testing

struct AnimatedPNGTests {
  /// A gradient, and two pieces over it.
  private static func animation(channels: Int) -> PixelAnimation {
    let first = PixelImage(
      width: 37, height: 23, channels: channels,
      pixels: (0..<37 * 23 * channels).map { UInt8(truncatingIfNeeded: $0 * 7 / channels) })
    let second = PixelImage(width: 5, height: 9, channels: channels, repeating: 90)
    var third = PixelImage(width: 11, height: 4, channels: channels, repeating: 200)
    if channels == 4 { for x in 0..<11 { third[x, 1, 3] = 0 } }
    return PixelAnimation(
      frames: [
        .init(image: first), .init(image: second, left: 3, top: 2),
        .init(image: third, left: 26, top: 19, blending: .over),
      ], millisecondsPerFrame: 40, plays: 3)
  }

  private struct Chunk {
    let type: String
    let data: [UInt8]
  }

  private func chunks(_ file: Data) -> [Chunk] {
    let bytes = [UInt8](file)
    var chunks: [Chunk] = []
    var offset = 8
    while offset + 12 <= bytes.count {
      let length = number(bytes, offset)
      chunks.append(
        Chunk(
          type: String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self),
          data: Array(bytes[offset + 8..<offset + 8 + length])))
      offset += 12 + length
    }
    return chunks
  }

  private func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }

  @Test(arguments: [1, 3, 4]) func theFirstFrameIsAnOrdinaryPicture(_ channels: Int) throws {
    let animation = Self.animation(channels: channels)
    let decoded = try ImageDecoder().decode(ImageEncoder.encode(animation))
    #expect(decoded == animation.frames[0].image)
  }

  /// So many rows that they are deflated in several pieces; each kind of filter is the best for some.
  @Test(arguments: [1, 3, 4], [false, true]) func piecesMakeOnePicture(
    _ channels: Int, isParallel: Bool
  ) throws {
    let (width, height) = (901, 2400 / channels)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * channels)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<channels {
          let value =
            switch y / 40 % 6 {
            case 0: 0
            case 1: x &* y &* 31 >> 3
            case 2: x / 3 + channel
            case 3: x &* x >> 2
            case 4: x + y
            default: x > 300 && x < 420 ? (x * 7 + y * 3) / 2 : 0
            }
          pixels.append(UInt8(truncatingIfNeeded: value))
        }
      }
    }
    let picture = PixelImage(width: width, height: height, channels: channels, pixels: pixels)
    var file = Data()
    var writer = AnimatedPNGWriter<Never>(
      width: width, height: height, channels: channels, frameCount: 1, millisecondsPerFrame: 10,
      perform: { count, body in
        if isParallel {
          DispatchQueue.concurrentPerform(iterations: count) { body($0) }
        } else {
          for index in (0..<count).reversed() { body(index) }
        }
      }, write: { file += $0 })
    writer.append(.init(columns: 0..<width, rows: 0..<height, blending: .replace)) { y, row in
      for i in 0..<width * channels { row[i] = picture.pixels[y * width * channels + i] }
    }
    writer.finish()
    #expect(chunks(file).count { $0.type == "IDAT" } > 2)
    #expect(try ImageDecoder().decode(file) == picture)
  }

  @Test func chunksComeInOrderAndAreNumbered() throws {
    let chunks = chunks(try ImageEncoder.encode(Self.animation(channels: 4)))
    #expect(
      chunks.map(\.type) == [
        "IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND",
      ])
    #expect(number(chunks[1].data, 0) == 3 && number(chunks[1].data, 4) == 3)
    let numbered = chunks.filter { $0.type == "fcTL" || $0.type == "fdAT" }
    #expect(numbered.map { number($0.data, 0) } == [0, 1, 2, 3, 4])
    let control = chunks[4].data
    // Width, height, left, top; 40 of 1000 s; nothing is done afterwards; replaced.
    #expect((1...4).map { number(control, $0 * 4) } == [5, 9, 3, 2])
    #expect(Array(control[20...]) == [0, 40, 3, 232, 0, 0])
    #expect(chunks[6].data.last == 1)
  }

  // Without alpha: what lies under half-transparent pixels Pillow rounds in its own way.
  @Test(.enabled(if: Python.has("PIL"), "Pillow is not installed"), arguments: [1, 3])
  func pillowShowsEveryFrame(_ channels: Int) throws {
    let animation = Self.animation(channels: channels)
    let folder = try TemporaryFolder()
    let file = try folder.write(ImageEncoder.encode(animation), as: "moving.png")
    let text = try Python.run(
      """
      import sys
      from PIL import Image
      image = Image.open(sys.argv[1])
      print(image.n_frames, image.info["loop"])
      for k in range(image.n_frames):
          image.seek(k)
          print(int(image.info["duration"]), image.convert("RGBA").tobytes().hex())
      """, [file.path])
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == "3 3")
    var canvas = animation.frames[0].image.converted(toChannels: 4)
    for (line, frame) in zip(lines.dropFirst(), animation.frames) {
      let image = frame.image.converted(toChannels: 4)
      for y in 0..<image.height {
        for x in 0..<image.width where frame.blending == .replace || image[x, y, 3] == 255 {
          for channel in 0..<4 {
            canvas[frame.left + x, frame.top + y, channel] = image[x, y, channel]
          }
        }
      }
      let hex = canvas.pixels.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      #expect(line == "40 " + hex)
    }
    #expect(lines.count == 4)
  }
}

struct BilevelPNGTests {
  @Test(arguments: [(1, 1), (7, 3), (8, 3), (9, 3), (61, 40)])
  func everyPixelIsBlackOrWhite(_ width: Int, _ height: Int) throws {
    let picture = PixelImage(
      width: width, height: height, channels: 1,
      pixels: (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 97) })
    let file = try ImageEncoder.encodeBilevel(picture)
    let decoded = try ImageDecoder().decode(file)
    #expect(decoded.width == width && decoded.height == height)
    #expect(
      decoded.converted(toChannels: 1).pixels == picture.pixels.map { $0 >= 128 ? 255 : 0 })
    // The header's bit depth and colour type.
    #expect(Array(file[24...25]) == [1, 0])
  }

  @Test func aPictureInColourIsRefused() {
    #expect(throws: ImageIOError.self) {
      try ImageEncoder.encodeBilevel(PixelImage(width: 2, height: 2, channels: 3, repeating: 0))
    }
  }
}
