/// Reads the JSON of a safetensors header, strictly, and only the kinds of values that it may hold.
///
/// A general JSON reader would take the last of two equal keys in silence, and costs more at start
/// than reading the weights themselves.
struct HeaderScanner {
  /// Whose header it is, for messages.
  let file: String
  private let bytes: UnsafeRawBufferPointer
  private let end: Int
  /// The next byte, counted from the start of the file.
  private(set) var position: Int

  /// Scans `range` of the file's bytes.
  init(file: String, bytes: UnsafeRawBufferPointer, range: Range<Int>) {
    self.file = file
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// The error that `expected` was not found here.
  func failure(expected: String) -> CheckpointError {
    .malformedHeader(file: file, offset: position, expected: expected)
  }

  /// Skips white space and takes the byte if it is next.
  mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Skips white space and takes the byte, which must be next.
  mutating func expect(_ byte: UInt8) throws(CheckpointError) {
    guard take(byte) else { throw failure(expected: "'\(Unicode.Scalar(byte))'") }
  }

  /// Requires that nothing but white space is left.
  mutating func expectEnd() throws(CheckpointError) {
    skipSpace()
    guard position == end else { throw failure(expected: "only spaces up to its end") }
  }

  /// Walks through an object, calling `body` at each value.
  mutating func object(
    _ body: (_ key: String, _ scanner: inout HeaderScanner) throws(CheckpointError) -> Void
  ) throws(CheckpointError) {
    try expect(UInt8(ascii: "{"))
    if take(UInt8(ascii: "}")) { return }
    repeat {
      let key = try string()
      try expect(UInt8(ascii: ":"))
      try body(key, &self)
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
  }

  /// An array of at most `limit` whole numbers.
  mutating func integers(limit: Int, what: String) throws(CheckpointError) -> [Int] {
    try expect(UInt8(ascii: "["))
    var values: [Int] = []
    if take(UInt8(ascii: "]")) { return values }
    repeat {
      guard values.count < limit else {
        throw .tooLarge(file: file, what: what, limit: limit, actual: limit + 1)
      }
      values.append(try integer())
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
    return values
  }

  /// A whole number that is not negative.
  mutating func integer() throws(CheckpointError) -> Int {
    skipSpace()
    let start = position
    var value = 0
    while position < end, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
      let (product, productOverflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) = product.addingReportingOverflow(Int(digit))
      guard !productOverflow, !sumOverflow else {
        throw failure(expected: "a number below 2^63")
      }
      value = sum
      position += 1
    }
    guard position > start, position == start + 1 || bytes[start] != UInt8(ascii: "0") else {
      position = start
      throw failure(expected: "a whole number")
    }
    return value
  }

  /// A string, with its escapes resolved.
  mutating func string() throws(CheckpointError) -> String {
    try expect(UInt8(ascii: "\""))
    let start = position
    while position < end, bytes[position] != UInt8(ascii: "\""), bytes[position] >= 0x20 {
      if bytes[position] == UInt8(ascii: "\\") { return try escapedString(from: start) }
      position += 1
    }
    return try closed(String(validating: bytes[start..<position], as: UTF8.self))
  }

  private mutating func escapedString(from start: Int) throws(CheckpointError) -> String {
    var units = [UInt8](bytes[start..<position])
    while position < end, bytes[position] != UInt8(ascii: "\""), bytes[position] >= 0x20 {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\\") {
        units.append(contentsOf: String(try escape()).utf8)
      } else {
        units.append(byte)
        position += 1
      }
    }
    return try closed(String(validating: units, as: UTF8.self))
  }

  private mutating func closed(_ text: String?) throws(CheckpointError) -> String {
    guard let text else { throw failure(expected: "text in UTF-8") }
    guard position < end, bytes[position] == UInt8(ascii: "\"") else {
      throw failure(expected: "the end of a string")
    }
    position += 1
    return text
  }

  /// One escape, from its backslash on.
  private mutating func escape() throws(CheckpointError) -> Unicode.Scalar {
    position += 1
    guard position < end else { throw failure(expected: "the rest of an escape") }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let high = try fourHexDigits()
      if let scalar = Unicode.Scalar(high) { return scalar }
      // Beyond 16 bits JSON writes two escapes, the halves of a surrogate pair.
      if high < 0xDC00, takeLiteral("\\u") {
        let low = try fourHexDigits()
        if low >= 0xDC00, low <= 0xDFFF,
          let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        {
          return scalar
        }
      }
      throw failure(expected: "a surrogate pair")
    default:
      position -= 1
      throw failure(expected: "an escape that JSON knows")
    }
  }

  private mutating func takeLiteral(_ text: StaticString) -> Bool {
    guard position + text.utf8CodeUnitCount <= end else { return false }
    for i in 0..<text.utf8CodeUnitCount where bytes[position + i] != text.utf8Start[i] {
      return false
    }
    position += text.utf8CodeUnitCount
    return true
  }

  private mutating func fourHexDigits() throws(CheckpointError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < end, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue
      else { throw failure(expected: "four hexadecimal digits") }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  private mutating func skipSpace() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }
}
