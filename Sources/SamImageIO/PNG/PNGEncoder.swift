internal import Foundation

extension ImageEncoder {
  /// Encodes as PNG, 8 bits a channel.
  ///
  /// libpng's own writer is not asked: its fast setting filters no rows and makes photographs twice as
  /// long in the same time, its other one takes several times as long.
  static func encodePNG(_ image: PixelImage) throws(ImageIOError) -> Data {
    // libpng's own limit: other programs could not read a longer one.
    guard image.width <= 1_000_000, image.height <= 1_000_000 else {
      throw .notEncodable(format: .png, detail: "\(image) is longer than 1000000 pixels")
    }
    var file = Data(
      PNGChunk.start(
        width: image.width, height: image.height, bitDepth: 8,
        colorType: PNGChunk.colorType(channels: image.channels)))
    let stream = PNGPixelStream(
      width: image.width, height: image.height, channels: image.channels, writeRow: image.copyRow)
    stream.forEachPiece({ count, body in for index in 0..<count { body(index) } }) { piece in
      file += PNGChunk.encoded("IDAT", piece)
    }
    file += PNGChunk.encoded("IEND", [])
    return file
  }
}

extension PixelImage {
  /// Copies the bytes of a row.
  func copyRow(_ y: Int, to row: UnsafeMutablePointer<UInt8>) {
    pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      row.update(from: base + y * bytesPerRow, count: bytesPerRow)
    }
  }
}
