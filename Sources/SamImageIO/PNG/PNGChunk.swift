internal import CZlib

/// The parts of PNG files, for the kinds that libpng's simple interface does not know.
enum PNGChunk {
  /// Signature and header.
  ///
  /// - Parameters:
  ///   - width: pixels of a row.
  ///   - height: number of rows.
  ///   - bitDepth: bits of a channel.
  ///   - colorType: 0 gray, 2 RGB, 6 RGBA.
  /// - Returns: What a file begins with.
  static func start(width: Int, height: Int, bitDepth: UInt8, colorType: UInt8) -> [UInt8] {
    // The last three: deflate, the five row filters, no interlacing.
    ImageFormat.pngSignature
      + encoded("IHDR", bytes(width) + bytes(height) + [bitDepth, colorType, 0, 0, 0])
  }

  /// The number that the header gives 1, 3 or 4 channels.
  static func colorType(channels: Int) -> UInt8 { channels == 1 ? 0 : channels == 3 ? 2 : 6 }

  /// A chunk: length, type, data, and the checksum of type and data.
  static func encoded(_ type: String, _ data: [UInt8]) -> [UInt8] {
    var chunk = bytes(data.count) + type.utf8
    chunk.reserveCapacity(chunk.count + data.count + 4)
    chunk += data
    let checksum = chunk.withUnsafeBufferPointer { buffer in
      crc32_z(0, buffer.baseAddress.map { $0 + 4 }, buffer.count - 4)
    }
    return chunk + bytes(Int(checksum))
  }

  /// Four bytes, most significant first.
  static func bytes(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Two bytes, most significant first.
  static func shortBytes(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  /// The zlib stream of some bytes, at a level from 1 (fast) to 9 (small).
  static func deflated(_ bytes: [UInt8], level: Int32) throws(ImageIOError) -> [UInt8] {
    let bound = Int(compressBound(uLong(bytes.count)))
    var code = Z_OK
    let stream = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      var length = uLong(bound)
      code = bytes.withUnsafeBufferPointer { input in
        compress2(output.baseAddress, &length, input.baseAddress, uLong(input.count), level)
      }
      count = code == Z_OK ? Int(length) : 0
    }
    guard code == Z_OK else {
      throw .notEncodable(format: .png, detail: "zlib gives up with code \(code)")
    }
    return stream
  }
}
