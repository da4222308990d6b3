/// Builds zip files, right ones and, by its switches, wrong ones.
struct ZipBuilder {
  struct Entry {
    var name: String
    var bytes: [UInt8]
    var method: UInt16 = 0
    var flags: UInt16 = 0
    var localName: String?
    /// What the directory says, where it is to lie.
    var claimedSize: UInt32?
    var claimedPackedSize: UInt32?
    var claimedOffset: UInt32?
  }

  var entries: [Entry] = []
  var comment: [UInt8] = []
  var claimedCount: UInt16?
  var claimedDirectoryOffset: UInt32?
  var disk: UInt16 = 0

  /// An archive as `torch.save` makes it.
  static func checkpoint(pickle: [UInt8], storages: [[UInt8]] = []) -> ZipBuilder {
    var builder = ZipBuilder()
    builder.entries.append(Entry(name: "test/data.pkl", bytes: pickle))
    builder.entries.append(Entry(name: "test/byteorder", bytes: Array("little".utf8)))
    for (key, bytes) in storages.enumerated() {
      builder.entries.append(Entry(name: "test/data/\(key)", bytes: bytes))
    }
    return builder
  }

  func bytes() -> [UInt8] {
    var output: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let offset = UInt32(output.count)
      let size = UInt32(entry.bytes.count)
      let local = Array((entry.localName ?? entry.name).utf8)
      output += little(0x0403_4B50 as UInt32, 20 as UInt16, entry.flags, entry.method, 0 as UInt32)
      output += little(0 as UInt32, size, size, UInt16(local.count), 0 as UInt16)
      output += local + entry.bytes
      let name = Array(entry.name.utf8)
      directory += little(0x0201_4B50 as UInt32, 20 as UInt16, 20 as UInt16, entry.flags)
      directory += little(entry.method, 0 as UInt32, 0 as UInt32)
      directory += little(entry.claimedPackedSize ?? entry.claimedSize ?? size)
      directory += little(entry.claimedSize ?? size, UInt16(name.count), 0 as UInt32)
      directory += little(0 as UInt32, 0 as UInt32, entry.claimedOffset ?? offset)
      directory += name
    }
    let start = UInt32(output.count)
    let count = claimedCount ?? UInt16(entries.count)
    output += directory
    output += little(0x0605_4B50 as UInt32, disk, disk, count, count, UInt32(directory.count))
    output += little(claimedDirectoryOffset ?? start, UInt16(comment.count))
    return output + comment
  }
}

/// The numbers' bytes, one number after the other.
func little<each Number: FixedWidthInteger>(_ numbers: repeat each Number) -> [UInt8] {
  var bytes: [UInt8] = []
  for number in repeat each numbers {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
  return bytes
}
