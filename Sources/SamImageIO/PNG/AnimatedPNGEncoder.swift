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
    var file = Data()
    var writer = AnimatedPNGWriter<Never>(
      width: animation.width, height: animation.height, channels: animation.channels,
      frameCount: animation.frames.count, millisecondsPerFrame: animation.millisecondsPerFrame,
      plays: animation.plays
    ) { file.append(contentsOf: $0) }
    for frame in animation.frames {
      writer.append(
        .init(
          columns: frame.left..<frame.left + frame.image.width,
          rows: frame.top..<frame.top + frame.image.height, blending: frame.blending),
        writeRow: frame.image.copyRow)
    }
    writer.finish()
    return file
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
    return Data(
      PNGChunk.start(width: image.width, height: image.height, bitDepth: 1, colorType: 0)
        + PNGChunk.encoded("IDAT", try PNGChunk.deflated(bits(of: image), level: 6))
        + PNGChunk.encoded("IEND", []))
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
