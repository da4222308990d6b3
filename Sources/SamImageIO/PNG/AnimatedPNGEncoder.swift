public import Foundation

extension ImageEncoder {
  /// Encodes an animation as an animated PNG; programs that know no animations show the first frame.
  ///
  /// - Parameter animation: the frames.
  /// - Returns: the contents of a file.
  /// - Throws: ``ImageIOError/notEncodable(format:detail:)`` where the format cannot hold it.
  public static func encode(_ animation: PixelAnimation) throws(ImageIOError) -> Data {
    guard animation.width <= 1_000_000, animation.height <= 1_000_000 else {
      throw .notEncodable(
        format: .png, detail: "\(animation.frames[0].image) is longer than 1000000 pixels")
    }
    let colorType: UInt8 = animation.channels == 1 ? 0 : animation.channels == 3 ? 2 : 6
    var writer = PNGChunkWriter(
      width: animation.width, height: animation.height, bitDepth: 8, colorType: colorType)
    writer.write(
      "acTL",
      PNGChunkWriter.bytes(animation.frames.count) + PNGChunkWriter.bytes(animation.plays))
    // Control and data chunks of the later frames are numbered together.
    var sequence = 0
    for (index, frame) in animation.frames.enumerated() {
      writer.write("fcTL", control(of: frame, sequence, animation.millisecondsPerFrame))
      sequence += 1
      let data = try PNGChunkWriter.deflated(PNGRowFilter.filtered(frame.image), level: 6)
      if index == 0 {
        writer.write("IDAT", data)
      } else {
        writer.write("fdAT", PNGChunkWriter.bytes(sequence) + data)
        sequence += 1
      }
    }
    return writer.finish()
  }

  /// Size, place, duration, and what happens to the pixels under the frame and after it.
  private static func control(
    of frame: PixelAnimation.Frame, _ sequence: Int, _ milliseconds: Int
  ) -> [UInt8] {
    let numbers = [sequence, frame.image.width, frame.image.height, frame.left, frame.top]
    let staysAsItIs: UInt8 = 0
    return numbers.flatMap(PNGChunkWriter.bytes)
      + PNGChunkWriter.shortBytes(milliseconds) + PNGChunkWriter.shortBytes(1000)
      + [staysAsItIs, frame.blending == .over ? 1 : 0]
  }

  /// Encodes a gray picture as PNG of one bit a pixel: 128 and above is white.
  ///
  /// - Parameter image: a picture of one channel.
  /// - Returns: the contents of a file.
  /// - Throws: ``ImageIOError/notEncodable(format:detail:)`` for a picture in colour.
  public static func encodeBilevel(_ image: PixelImage) throws(ImageIOError) -> Data {
    guard image.channels == 1, image.width <= 1_000_000, image.height <= 1_000_000 else {
      throw .notEncodable(format: .png, detail: "\(image) does not fit into one bit a pixel")
    }
    var writer = PNGChunkWriter(
      width: image.width, height: image.height, bitDepth: 1, colorType: 0)
    writer.write("IDAT", try PNGChunkWriter.deflated(bits(of: image), level: 6))
    return writer.finish()
  }

  /// Eight pixels a byte, the first in the highest bit, each row after a byte that says: no filter.
  private static func bits(of image: PixelImage) -> [UInt8] {
    let length = (image.width + 7) / 8 + 1
    var bytes = [UInt8](repeating: 0, count: length * image.height)
    bytes.withUnsafeMutableBufferPointer { bytes in
      image.pixels.withUnsafeBufferPointer { pixels in
        for y in 0..<image.height {
          let row = y * length + 1
          for x in 0..<image.width {
            let bit = pixels[y * image.width + x] >> 7
            bytes[row + x / 8] |= bit << UInt8(truncatingIfNeeded: 7 - x % 8)
          }
        }
      }
    }
    return bytes
  }
}
