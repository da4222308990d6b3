extension MaskRuns {
  /// COCO's compressed form: ASCII, six bits a character.
  ///
  /// From the fourth on a run is written as the difference to the one two before it. Numbers are cut
  /// into groups of five bits, lowest first; bit 5 says that another group follows; 48 is added to
  /// each.
  public var compressed: String {
    var text: [UInt8] = []
    text.reserveCapacity(counts.count * 2)
    for (index, count) in counts.enumerated() {
      var rest = index > 2 ? count - counts[index - 2] : count
      while true {
        var group = UInt8(truncatingIfNeeded: rest & 0x1F)
        rest >>= 5
        // The last group's top bit is the sign.
        let isLast = group & 0x10 != 0 ? rest == -1 : rest == 0
        if !isLast { group |= 0x20 }
        text.append(group + 48)
        if isLast { break }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads COCO's compressed form.
  ///
  /// - Throws: ``EditingError/malformedRunLengths(reason:)`` for text that is none, and for lengths
  ///   that do not fill the size.
  public init(width: Int, height: Int, compressed text: String) throws(EditingError) {
    var counts: [Int] = []
    var value = 0
    var shift = 0
    for byte in text.utf8 {
      guard (48..<112).contains(byte) else {
        throw .malformedRunLengths(
          reason: "character \(byte) does not occur in compressed run lengths")
      }
      let group = Int(byte) - 48
      // Sixty bits are enough for any picture, and leave room for the sign.
      guard shift < 60 else { throw .malformedRunLengths(reason: "a number is too long") }
      value |= (group & 0x1F) << shift
      shift += 5
      guard group & 0x20 == 0 else { continue }
      if group & 0x10 != 0 { value |= -1 << shift }
      if counts.count > 2 {
        let (sum, overflow) = value.addingReportingOverflow(counts[counts.count - 2])
        guard !overflow else { throw .malformedRunLengths(reason: "a number is too large") }
        value = sum
      }
      counts.append(value)
      value = 0
      shift = 0
    }
    guard shift == 0 else { throw .malformedRunLengths(reason: "they end inside a number") }
    try self.init(width: width, height: height, counts: counts)
  }
}
