internal import CZlib

/// Some rows of a picture as a part of a PNG's zlib stream, made without the other rows.
///
/// Bands can be computed on several threads at once and written one after the other. Where bands meet,
/// deflate does not look back; with half a million bytes in each that costs next to nothing.
struct PNGPixelBand: Sendable {
  /// Deflated rows, ending on a byte; not marked as the last of the stream.
  let bytes: [UInt8]
  /// The checksum of the filtered rows.
  fileprivate let checksum: UInt
  /// How many bytes these are.
  fileprivate let length: Int

  /// Filters and deflates rows.
  ///
  /// - Parameters:
  ///   - rows: which rows of the picture.
  ///   - width: pixels of a row.
  ///   - channels: bytes of a pixel.
  ///   - writeRow: writes the bytes of a row.
  init(
    rows: Range<Int>, width: Int, channels: Int,
    writeRow: (_ y: Int, _ row: UnsafeMutablePointer<UInt8>) -> Void
  ) {
    let length = width * channels
    // Each row lies after a pixel of zeros, which the filters take for its left neighbour.
    let stride = length + channels
    let filter = PNGRowFilter(length: length, step: channels)
    let pixels = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * stride)
    defer { pixels.deallocate() }
    pixels.update(repeating: 0, count: 2 * stride)
    var (above, row) = (pixels + channels, pixels + channels + stride)
    if rows.lowerBound > 0 { writeRow(rows.lowerBound - 1, above) }
    let count = rows.count * (length + 1)
    let filtered = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    defer { filtered.deallocate() }
    for (index, y) in rows.enumerated() {
      writeRow(y, row)
      filter.write(row, above: above, to: filtered + index * (length + 1))
      swap(&above, &row)
    }
    self.length = count
    checksum = adler32_z(1, filtered, count)
    bytes = Self.deflated(filtered, count)
  }

  /// Raw deflate up to a byte's border.
  private static func deflated(
    _ input: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> [UInt8] {
    var stream = z_stream()
    // Looking for runs only: a photograph's filtered rows hold little else to find. A twentieth longer
    // than level 6 for a whole picture, no longer for pieces that are mostly clear; a fifth of the time.
    // Negative window bits: no header and no checksum.
    let code = deflateInit2_(
      &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 9, Z_RLE, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib has no memory left")
    defer { deflateEnd(&stream) }
    // The mark at the end takes a few bytes more than a stream that ends.
    let bound = Int(deflateBound(&stream, uLong(count))) + 16
    return [UInt8](unsafeUninitializedCapacity: bound) { output, written in
      stream.next_in = input
      stream.avail_in = uInt(count)
      stream.next_out = output.baseAddress
      stream.avail_out = uInt(bound)
      let code = deflate(&stream, Z_SYNC_FLUSH)
      precondition(code == Z_OK && stream.avail_in == 0, "zlib wrote more than it said")
      written = bound - Int(stream.avail_out)
    }
  }
}

/// The checksum of all bands of a zlib stream.
struct PNGStreamChecksum {
  private var value: UInt = 1

  mutating func add(_ band: PNGPixelBand) {
    value = adler32_combine(value, band.checksum, band.length)
  }

  /// What the stream ends with: an empty last block, and the checksum.
  var end: [UInt8] { [0x03, 0x00] + PNGChunk.bytes(Int(value)) }
}
