/// Little-endian numbers in a range of bytes, each read checked against its end.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  /// The next byte.
  private(set) var position: Int
  /// One past the last byte.
  let end: Int

  /// Reads `range`, which lies within `bytes`.
  init(_ bytes: UnsafeRawBufferPointer, range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Bytes that are left.
  var remaining: Int { end - position }

  /// The next number, or nil where too few bytes are left.
  mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Number? {
    let width = Number.bitWidth / 8
    guard remaining >= width else { return nil }
    defer { position += width }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
  }

  /// The next `count` bytes, or nil where too few are left.
  mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, remaining >= count else { return nil }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  /// The bytes up to the next line feed, which is skipped, or nil where there is none within `limit`.
  mutating func line(limit: Int) -> UnsafeRawBufferPointer? {
    let window = UnsafeRawBufferPointer(rebasing: bytes[position..<min(end, position + limit)])
    guard let length = window.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    position += length + 1
    return UnsafeRawBufferPointer(rebasing: window[..<length])
  }
}
