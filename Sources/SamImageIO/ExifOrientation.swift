/// Finds the orientation in EXIF data: a TIFF header and its first directory.
///
/// Every offset is checked before use; anything odd means ``ImageOrientation/up``.
enum ExifOrientation {
  /// Reads from a TIFF block, which begins with `II` or `MM`.
  static func find(in block: UnsafeBufferPointer<UInt8>) -> ImageOrientation {
    guard let reader = TIFFReader(block), let directory = reader.long(at: 4),
      let entries = reader.short(at: directory)
    else { return .up }
    for entry in 0..<entries {
      let start = directory + 2 + entry * 12
      guard let tag = reader.short(at: start) else { return .up }
      guard tag == 0x0112 else { continue }
      // Type 3 is SHORT; a single one stands in the entry itself.
      guard reader.short(at: start + 2) == 3, reader.long(at: start + 4) == 1,
        let value = reader.short(at: start + 8)
      else { return .up }
      return ImageOrientation(rawValue: value) ?? .up
    }
    return .up
  }

  /// Reads from a JPEG's APP1 segment; nil where the segment is not EXIF.
  static func find(inSegment segment: UnsafeBufferPointer<UInt8>) -> ImageOrientation? {
    let prefix: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    guard segment.starts(with: prefix) else { return nil }
    return find(in: UnsafeBufferPointer(rebasing: segment[prefix.count...]))
  }
}

/// Numbers in a TIFF block, in the byte order that its header names.
private struct TIFFReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isLittleEndian: Bool

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 8 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0x49, 0x49): isLittleEndian = true
    case (0x4D, 0x4D): isLittleEndian = false
    default: return nil
    }
    self.bytes = bytes
    guard short(at: 2) == 42 else { return nil }
  }

  /// Offsets are at most 2³² plus a directory, so sums cannot overflow.
  func short(at offset: Int) -> Int? {
    guard offset >= 0, offset + 2 <= bytes.count else { return nil }
    let (first, second) = (Int(bytes[offset]), Int(bytes[offset + 1]))
    return isLittleEndian ? first | second << 8 : first << 8 | second
  }

  func long(at offset: Int) -> Int? {
    guard let first = short(at: offset), let second = short(at: offset + 2) else { return nil }
    return isLittleEndian ? first | second << 16 : first << 16 | second
  }
}
