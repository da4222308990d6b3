/// The checksum of zip files.
enum CRC32 {
  /// Tables for eight bytes a step, for the polynomial 0xEDB88320 (ISO 3309, bits reversed).
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
      tables[byte] = value
    }
    for slot in 256..<8 * 256 {
      let before = tables[slot - 256]
      tables[slot] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  /// The checksum of `bytes`; about a gigabyte a second.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      var value = UInt32.max
      var position = 0
      while position + 8 <= bytes.count {
        let word = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        var mixed = word ^ UInt64(value)
        value = 0
        for slot in (0..<8).reversed() {
          value ^= tables[256 * slot + Int(truncatingIfNeeded: mixed & 0xFF)]
          mixed >>= 8
        }
        position += 8
      }
      while position < bytes.count {
        value = value >> 8 ^ tables[Int((value ^ UInt32(bytes[position])) & 0xFF)]
        position += 1
      }
      return ~value
    }
  }
}
