/// The table of contents of a zip file whose entries are stored uncompressed, as PyTorch writes them.
///
/// Every size and offset is checked when the archive is opened, so an entry's range lies in the file
/// and shares no byte with another's. Reads zip64. The checksums are checked on demand: PyTorch can
/// be told not to write them, and reading 40 MB for them would double the time to load.
struct ZipArchive {
  /// One stored file.
  struct Entry {
    let name: String
    /// Where its bytes lie in the archive.
    let range: Range<Int>
    let checksum: UInt32
  }

  /// The entries in the order of the central directory.
  let entries: [Entry]

  /// The most entries that a file of that size may have; a checkpoint has one for each tensor.
  ///
  /// What is kept of an entry takes some 250 bytes, so that very many empty ones would take several
  /// times the file.
  static func entryLimit(fileSize: Int) -> Int { min(131_072, 4096 + fileSize / 256) }

  /// Whether these are the first bytes of a zip file.
  static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Reads the table of contents of the archive that `bytes` are the whole of.
  init(file: String, bytes: UnsafeRawBufferPointer) throws(CheckpointError) {
    let directory = try ZipDirectory(file: file, bytes: bytes)
    let limit = Self.entryLimit(fileSize: bytes.count)
    guard directory.count <= limit else {
      throw .tooLarge(
        file: file, what: "number of archive entries", limit: limit, actual: directory.count)
    }
    var reader = ByteReader(bytes, range: directory.range)
    var entries: [Entry] = []
    entries.reserveCapacity(directory.count)
    var names: Set<String> = []
    var taken: [Range<Int>] = []
    for _ in 0..<directory.count {
      guard let record = try ZipRecord(file: file, reader: &reader) else {
        throw .badArchive(file: file, entry: nil, reason: "its central directory is cut short")
      }
      guard names.insert(record.name).inserted else {
        throw .badArchive(file: file, entry: record.name, reason: "stands in it twice")
      }
      let (local, range) = try record.locate(
        file: file, bytes: bytes, end: directory.range.lowerBound)
      taken.append(local..<range.upperBound)
      entries.append(Entry(name: record.name, range: range, checksum: record.checksum))
    }
    guard reader.remaining == 0 else {
      throw .badArchive(
        file: file, entry: nil, reason: "its central directory holds more than it counts")
    }
    taken.sort { $0.lowerBound < $1.lowerBound }
    for (before, after) in zip(taken, taken.dropFirst()) where before.upperBound > after.lowerBound
    {
      throw .badArchive(
        file: file, entry: nil, reason: "two entries overlap at byte \(after.lowerBound)")
    }
    self.entries = entries
  }
}

/// Where the central directory lies, from the records at the end of a zip file.
struct ZipDirectory {
  let range: Range<Int>
  let count: Int

  init(file: String, bytes: UnsafeRawBufferPointer) throws(CheckpointError) {
    guard let end = Self.endRecord(bytes) else {
      throw .badArchive(
        file: file, entry: nil,
        reason: "it has no end record within its \(bytes.count) bytes; it may be cut short")
    }
    var reader = ByteReader(bytes, range: end + 4..<bytes.count)
    let disks = [reader.integer(UInt16.self), reader.integer(UInt16.self)]
    let counts = [reader.integer(UInt16.self), reader.integer(UInt16.self)]
    let size = reader.integer(UInt32.self)
    let offset = reader.integer(UInt32.self)
    guard let size, let offset, let total = counts[1] else {
      throw .badArchive(file: file, entry: nil, reason: "its end record is cut short")
    }
    if let wide = try Self.wideRecord(file: file, bytes: bytes, before: end) {
      range = wide.range
      count = wide.count
      return
    }
    guard disks == [0, 0], counts[0] == counts[1] else {
      throw .badArchive(file: file, entry: nil, reason: "it is one part of several")
    }
    guard Int(offset) + Int(size) <= end else {
      throw .badArchive(
        file: file, entry: nil, reason: "its directory lies at byte \(offset), outside the file")
    }
    range = Int(offset)..<Int(offset) + Int(size)
    count = Int(total)
  }

  /// The position of the end record: the last one whose comment reaches exactly to the end.
  private static func endRecord(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= 22 else { return nil }
    let first = max(0, bytes.count - 22 - 0xFFFF)
    return (first...bytes.count - 22).reversed().first { position in
      guard bytes[position] == 0x50, bytes.isRecord(0x0605_4B50, at: position) else { return false }
      let comment = bytes.loadUnaligned(fromByteOffset: position + 20, as: UInt16.self)
      return position + 22 + Int(UInt16(littleEndian: comment)) == bytes.count
    }
  }

  /// What the zip64 record says, where the archive has one.
  private static func wideRecord(
    file: String, bytes: UnsafeRawBufferPointer, before end: Int
  ) throws(CheckpointError) -> (range: Range<Int>, count: Int)? {
    guard end >= 20, bytes.isRecord(0x0706_4B50, at: end - 20) else { return nil }
    let damaged = CheckpointError.badArchive(
      file: file, entry: nil, reason: "its zip64 record points outside the file")
    var locator = ByteReader(bytes, range: end - 16..<end)
    guard locator.integer(UInt32.self) == 0, let position = locator.integer(UInt64.self),
      locator.integer(UInt32.self).map({ $0 <= 1 }) == true,
      let start = Int(exactly: position), start <= end - 20 - 56,
      bytes.isRecord(0x0606_4B50, at: start)
    else { throw damaged }
    var record = ByteReader(bytes, range: start + 16..<start + 56)
    guard record.integer(UInt64.self) == 0, let here = record.integer(UInt64.self),
      let total = record.integer(UInt64.self), here == total,
      let size = record.integer(UInt64.self), let offset = record.integer(UInt64.self),
      offset <= UInt64(start), size <= UInt64(start) - offset, let count = Int(exactly: total)
    else { throw damaged }
    return (Int(offset)..<Int(offset) + Int(size), count)
  }
}

/// One record of the central directory.
struct ZipRecord {
  let name: String
  let checksum: UInt32
  private let nameLength: Int
  private let size: UInt64
  private let offset: UInt64

  /// Reads the next record; nil where the directory ends too early.
  init?(file: String, reader: inout ByteReader) throws(CheckpointError) {
    guard reader.integer(UInt32.self) == 0x0201_4B50, reader.take(4) != nil,
      let flags = reader.integer(UInt16.self), let method = reader.integer(UInt16.self),
      reader.take(4) != nil, let checksum = reader.integer(UInt32.self),
      let packed = reader.integer(UInt32.self), let size = reader.integer(UInt32.self),
      let nameLength = reader.integer(UInt16.self), let extraLength = reader.integer(UInt16.self),
      let commentLength = reader.integer(UInt16.self), reader.take(8) != nil,
      let offset = reader.integer(UInt32.self), let nameBytes = reader.take(Int(nameLength)),
      let extra = reader.take(Int(extraLength)), reader.take(Int(commentLength)) != nil
    else { return nil }
    guard let name = String(validating: nameBytes, as: UTF8.self) else {
      throw .badArchive(file: file, entry: nil, reason: "a name in it is not UTF-8")
    }
    guard flags & 1 == 0 else {
      throw .badArchive(file: file, entry: name, reason: "is encrypted")
    }
    guard method == 0 else {
      throw .badArchive(
        file: file, entry: name, reason: "is compressed (method \(method)); PyTorch stores")
    }
    var wide = Self.wideFields(extra)
    guard let fullSize = Self.full(size, &wide), let fullPacked = Self.full(packed, &wide),
      let fullOffset = Self.full(offset, &wide)
    else { throw .badArchive(file: file, entry: name, reason: "lacks its zip64 sizes") }
    guard fullSize == fullPacked else {
      throw .badArchive(file: file, entry: name, reason: "is stored, yet has two sizes")
    }
    self.name = name
    self.checksum = checksum
    self.nameLength = Int(nameLength)
    self.size = fullSize
    self.offset = fullOffset
  }

  /// The zip64 field among the extra ones, or nothing to read.
  private static func wideFields(_ extra: UnsafeRawBufferPointer) -> ByteReader {
    var reader = ByteReader(extra, range: 0..<extra.count)
    while let kind = reader.integer(UInt16.self), let length = reader.integer(UInt16.self),
      reader.remaining >= Int(length)
    {
      if kind == 1 {
        return ByteReader(extra, range: reader.position..<reader.position + Int(length))
      }
      _ = reader.take(Int(length))
    }
    return ByteReader(extra, range: 0..<0)
  }

  /// A field, from the zip64 ones where it is all ones.
  private static func full(_ field: UInt32, _ wide: inout ByteReader) -> UInt64? {
    field == .max ? wide.integer(UInt64.self) : UInt64(field)
  }

  /// Where the entry's local header begins and where its bytes lie, all before `end`.
  func locate(
    file: String, bytes: UnsafeRawBufferPointer, end: Int
  ) throws(CheckpointError) -> (header: Int, range: Range<Int>) {
    guard let start = Int(exactly: offset), start < end, end - start >= 30,
      bytes.isRecord(0x0403_4B50, at: start)
    else {
      throw .badArchive(file: file, entry: name, reason: "has no header at byte \(offset)")
    }
    var reader = ByteReader(bytes, range: start + 26..<end)
    guard let localNameLength = reader.integer(UInt16.self),
      let extraLength = reader.integer(UInt16.self), Int(localNameLength) == nameLength,
      let localName = reader.take(nameLength), localName.elementsEqual(name.utf8),
      reader.take(Int(extraLength)) != nil
    else {
      throw .badArchive(file: file, entry: name, reason: "is called otherwise in its own header")
    }
    guard size <= UInt64(reader.remaining) else {
      throw .badArchive(
        file: file, entry: name,
        reason: "needs \(size) bytes, \(reader.remaining) are left before the directory")
    }
    return (start, reader.position..<reader.position + Int(size))
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a zip record of that signature can begin at `position`.
  fileprivate func isRecord(_ signature: UInt32, at position: Int) -> Bool {
    guard position >= 0, position <= count - 4 else { return false }
    return UInt32(littleEndian: loadUnaligned(fromByteOffset: position, as: UInt32.self))
      == signature
  }
}
