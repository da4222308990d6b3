import SamCheckpoint
import Testing

struct SHA256Tests {
  private func checksum(_ pieces: [[UInt8]]) -> String {
    var checksum = SHA256()
    for piece in pieces { piece.withUnsafeBytes { checksum.update($0) } }
    return checksum.finish()
  }

  /// The examples of FIPS 180-4, and its longest message.
  @Test(arguments: [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func givesThePublishedChecksums(text: String, count: Int, expected: String) {
    let bytes = [UInt8](String(repeating: text, count: count).utf8)
    #expect(checksum([bytes]) == expected)
  }

  @Test func doesNotDependOnThePieces() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let whole = checksum([bytes])
    for size in [1, 3, 55, 56, 63, 64, 65, 127, 128, 999] {
      let pieces = stride(from: 0, to: bytes.count, by: size).map {
        Array(bytes[$0..<min($0 + size, bytes.count)])
      }
      #expect(checksum(pieces) == whole, "pieces of \(size)")
    }
  }
}
