/// What a safetensors file says about itself, checked against its size.
struct SafetensorsHeader {
  /// One tensor and where its bytes lie, counted from the start of the file.
  struct Entry {
    var name: String
    var type: ElementType
    var shape: [Int]
    var range: Range<Int>
  }

  /// The free text.
  private(set) var metadata: [String: String] = [:]
  /// The tensors in the order of their bytes.
  private(set) var entries: [Entry] = []

  /// The longest header that is read; the Lite model's takes 52 kB.
  static let lengthLimit = 16 << 20
  /// The most texts that the metadata may have.
  static let metadataLimit = 16_384
  /// The most sides that a tensor may have.
  static let rankLimit = 16

  /// The most tensors that a file of that size may have; the Lite model has 451.
  ///
  /// What is kept of a tensor takes some 400 bytes, so that a header of very many empty ones would
  /// take several times the file.
  static func tensorLimit(fileSize: Int) -> Int { min(65_536, 4096 + fileSize / 512) }

  /// Reads and checks the header of the file that `bytes` are the whole of.
  init(file: String, bytes: UnsafeRawBufferPointer) throws(CheckpointError) {
    guard bytes.count >= 8 else {
      throw .truncated(
        file: file, what: "the length of the header", expected: 8, actual: bytes.count)
    }
    let length = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    guard length <= UInt64(Self.lengthLimit) else {
      throw .tooLarge(
        file: file, what: "length of the header in bytes", limit: Self.lengthLimit,
        actual: Int(clamping: length))
    }
    let dataStart = 8 + Int(length)
    guard dataStart <= bytes.count else {
      throw .truncated(
        file: file, what: "the header", expected: Int(length), actual: bytes.count - 8)
    }
    var scanner = HeaderScanner(file: file, bytes: bytes, range: 8..<dataStart)
    let available = bytes.count - dataStart
    let limit = Self.tensorLimit(fileSize: bytes.count)
    var keys: Set<String> = []
    try scanner.object { key, scanner throws(CheckpointError) in
      guard keys.insert(key).inserted else { throw .duplicateKey(file: file, key: key) }
      if key == "__metadata__" {
        try readMetadata(&scanner)
        return
      }
      guard entries.count < limit else {
        throw .tooLarge(
          file: file, what: "number of tensors", limit: limit, actual: entries.count + 1)
      }
      var entry = try Self.readEntry(name: key, &scanner, available: available)
      entry.range = entry.range.lowerBound + dataStart..<entry.range.upperBound + dataStart
      entries.append(entry)
    }
    try scanner.expectEnd()
    try orderEntries(file: file, data: dataStart..<bytes.count)
  }

  private mutating func readMetadata(_ scanner: inout HeaderScanner) throws(CheckpointError) {
    try scanner.object { key, scanner throws(CheckpointError) in
      let value = try scanner.string()
      guard metadata.updateValue(value, forKey: key) == nil else {
        throw .duplicateKey(file: scanner.file, key: key)
      }
      guard metadata.count <= Self.metadataLimit else {
        throw .tooLarge(
          file: scanner.file, what: "number of metadata entries", limit: Self.metadataLimit,
          actual: metadata.count)
      }
    }
  }

  /// One tensor's description; its range is counted from the start of the data.
  private static func readEntry(
    name: String, _ scanner: inout HeaderScanner, available: Int
  ) throws(CheckpointError) -> Entry {
    let file = scanner.file
    var typeName: String?
    var shape: [Int]?
    var offsets: [Int]?
    try scanner.object { key, scanner throws(CheckpointError) in
      switch key {
      case "dtype" where typeName == nil:
        typeName = try scanner.string()
      case "shape" where shape == nil:
        shape = try scanner.integers(limit: rankLimit, what: "sides of tensor \"\(name)\"")
      case "data_offsets" where offsets == nil:
        offsets = try scanner.integers(limit: 2, what: "offsets of tensor \"\(name)\"")
      case "dtype", "shape", "data_offsets":
        throw .duplicateKey(file: file, key: "\(name).\(key)")
      default:
        throw scanner.failure(
          expected: "dtype, shape or data_offsets of tensor \"\(name)\", not \"\(key)\",")
      }
    }
    guard let typeName, let shape, let offsets, offsets.count == 2 else {
      throw scanner.failure(
        expected: "dtype, shape and two data_offsets of tensor \"\(name)\"")
    }
    guard let type = ElementType(rawValue: typeName) else {
      throw .unsupportedType(file: file, tensor: name, type: typeName)
    }
    guard let size = type.byteCount(shape: shape) else {
      throw .badShape(file: file, tensor: name, shape: shape)
    }
    guard offsets[0] <= offsets[1], offsets[1] <= available else {
      throw .outOfRange(
        file: file, tensor: name, begin: offsets[0], end: offsets[1], available: available)
    }
    guard offsets[1] - offsets[0] == size else {
      throw .wrongSize(file: file, tensor: name, expected: size, actual: offsets[1] - offsets[0])
    }
    return Entry(name: name, type: type, shape: shape, range: offsets[0]..<offsets[1])
  }

  /// Sorts the tensors by their bytes, which must fill the data without overlap or gap.
  private mutating func orderEntries(file: String, data: Range<Int>) throws(CheckpointError) {
    entries.sort {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    var expected = data.lowerBound
    for entry in entries {
      guard entry.range.lowerBound == expected else {
        throw .misplaced(
          file: file, tensor: entry.name, expected: expected - data.lowerBound,
          actual: entry.range.lowerBound - data.lowerBound)
      }
      expected = entry.range.upperBound
    }
    guard expected == data.upperBound else {
      throw .trailingBytes(
        file: file, expected: expected - data.lowerBound, actual: data.count)
    }
  }
}
