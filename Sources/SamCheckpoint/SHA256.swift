/// The SHA-256 checksum (FIPS 180-4) of bytes that come in pieces.
package struct SHA256 {
  private var state: SIMD8<UInt32> = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19,
  ]
  /// Bytes that do not yet fill a block.
  private var rest: [UInt8] = []
  private var length = 0

  package init() {}

  /// Takes the next bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length += bytes.count
    var next = bytes[...]
    if !rest.isEmpty {
      let missing = min(64 - rest.count, next.count)
      rest.append(contentsOf: next.prefix(missing))
      next = next.dropFirst(missing)
      guard rest.count == 64 else { return }
      rest.withUnsafeBytes { compress($0) }
      rest.removeAll(keepingCapacity: true)
    }
    let whole = next.count / 64 * 64
    compress(UnsafeRawBufferPointer(rebasing: next.prefix(whole)))
    rest.append(contentsOf: next.dropFirst(whole))
  }

  /// The checksum of all bytes, as 64 hexadecimal digits.
  package consuming func finish() -> String {
    let bits = UInt64(length) * 8
    rest.append(0x80)
    while rest.count % 64 != 56 { rest.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      rest.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    let last = rest
    last.withUnsafeBytes { compress($0) }
    return state.indices.map { index in
      let digits = String(state[index], radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Takes in whole blocks of 64 bytes.
  private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      Self.constants.withUnsafeBufferPointer { constants in
        for start in stride(from: 0, to: blocks.count, by: 64) {
          for i in 0..<16 {
            schedule[i] = UInt32(
              bigEndian: blocks.loadUnaligned(fromByteOffset: start &+ 4 &* i, as: UInt32.self))
          }
          for i in 16..<64 {
            let (early, late) = (schedule[i &- 15], schedule[i &- 2])
            let mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
            let mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
            schedule[i] = schedule[i &- 16] &+ mixedEarly &+ schedule[i &- 7] &+ mixedLate
          }
          var (a, b, c, d) = (state[0], state[1], state[2], state[3])
          var (e, f, g, h) = (state[4], state[5], state[6], state[7])
          for i in 0..<64 {
            let choice = g ^ (e & (f ^ g))
            let mixedE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let first = h &+ mixedE &+ choice &+ constants[i] &+ schedule[i]
            let majority = (a & b) | (c & (a | b))
            let mixedA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ mixedA &+ majority)
          }
          state = state &+ SIMD8(a, b, c, d, e, f, g, h)
        }
      }
    }
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]
}

@inline(__always)
private func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
  value &>> count | value &<< (32 &- count)
}

extension SHA256 {
  /// The checksum of a file, as 64 hexadecimal digits; reads all of it.
  ///
  /// - Throws: ``CheckpointError/unreadable(file:reason:)``.
  package static func checksum(path: String) throws(CheckpointError) -> String {
    let file = try MappedFile(path: path)
    defer { extendLifetime(file) }
    var checksum = SHA256()
    checksum.update(file.bytes)
    return checksum.finish()
  }
}
