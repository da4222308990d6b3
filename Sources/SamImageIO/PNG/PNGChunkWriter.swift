internal import CZlib
internal import Foundation

/// Writes PNG files chunk by chunk, for the kinds that libpng's simple interface does not know.
struct PNGChunkWriter {
  /// The file so far.
  private(set) var file: Data

  /// Begins with signature and header.
  ///
  /// - Parameters:
  ///   - width: pixels of a row.
  ///   - height: number of rows.
  ///   - bitDepth: bits of a channel.
  ///   - colorType: 0 gray, 2 RGB, 6 RGBA.
  init(width: Int, height: Int, bitDepth: UInt8, colorType: UInt8) {
    file = Data(ImageFormat.pngSignature)
    // The last three: deflate, the five row filters, no interlacing.
    write("IHDR", Self.bytes(width) + Self.bytes(height) + [bitDepth, colorType, 0, 0, 0])
  }

  /// Appends a chunk: length, type, data, and the checksum of type and data.
  mutating func write(_ type: String, _ data: [UInt8]) {
    let body = Array(type.utf8) + data
    file.append(contentsOf: Self.bytes(data.count))
    file.append(contentsOf: body)
    let checksum = body.withUnsafeBufferPointer { buffer in
      crc32_z(0, buffer.baseAddress, buffer.count)
    }
    file.append(contentsOf: Self.bytes(Int(checksum)))
  }

  /// Appends the last chunk and returns the file.
  mutating func finish() -> Data {
    write("IEND", [])
    return file
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
