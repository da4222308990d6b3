import Foundation
import SamCheckpoint
import SamTestSupport
import Testing

struct SafetensorsFileTests {
  @Test func readsWhatTheFormatsOwnLibraryWrote() throws {
    let file = try SafetensorsFile(url: Goldens.url("library.safetensors"))
    #expect(
      file.tensors.map(\.name) == [
        "bf16", "bf16.edges", "count", "empty", "f16", "f16.edges", "f32", "f32.edges", "i64",
        "scalar",
      ])
    #expect(file.metadata == ["format": "pt", "text": "quotes \" and \\ and é and 🍵\n"])
    #expect(file["scalar"]?.shape == [])
    #expect(file["scalar"]?.floats() == [2.5])
    #expect(file["count"]?.floats() == [17])
    #expect(file["empty"]?.shape == [0, 4])
    #expect(file["empty"]?.floats() == [])
    let edges = try #require(file["f16.edges"]).floats()
    #expect(edges[..<5] == [0, -0.0, 1, -1, 65504])
    #expect(edges[1].sign == .minus && edges[7] == .infinity && edges[9].isNaN)
    #expect(file["missing"] == nil)
  }

  @Test func readsEscapesAndSpaces() throws {
    let folder = try TemporaryFolder()
    let json = """
      { "a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83C\\uDF75" :
      {"shape":[ 1 , 2 ],"data_offsets":[0,8], "dtype":"F32"} , "__metadata__" : { } }
      """
    let url = try folder.write(safetensors(json + "   ", data: 8), as: "spaces")
    let file = try SafetensorsFile(url: url)
    #expect(file.tensors.map(\.name) == ["a\"\\/\u{8}\u{C}\n\r\té🍵"])
    #expect(file.tensors.first?.shape == [1, 2])
  }

  /// A header, the bytes of data behind it, and what is wrong.
  struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let error: @Sendable (_ file: String) -> CheckpointError

    init(
      _ name: String, _ json: String, data: Int = 0, length: UInt64? = nil,
      error: @escaping @Sendable (String) -> CheckpointError
    ) {
      testDescription = name
      bytes = safetensors(json, data: data, length: length)
      self.error = error
    }
  }

  private static func tensor(
    _ name: String = "w", type: String = "F32", shape: String = "2", offsets: String = "0,8"
  ) -> String {
    "\"\(name)\":{\"dtype\":\"\(type)\",\"shape\":[\(shape)],\"data_offsets\":[\(offsets)]}"
  }

  private static func malformed(_ offset: Int, _ expected: String)
    -> @Sendable (String) ->
    CheckpointError
  { { .malformedHeader(file: $0, offset: offset, expected: expected) } }

  static let faults: [Fault] = [
    Fault("header longer than the file", "{}", length: 3) {
      .truncated(file: $0, what: "the header", expected: 3, actual: 2)
    },
    Fault("header of exabytes", "{}", length: .max) {
      .tooLarge(
        file: $0, what: "length of the header in bytes", limit: 16 << 20, actual: .max)
    },
    Fault("no object", "[]", error: malformed(8, "'{'")),
    Fault("empty header", "", error: malformed(8, "'{'")),
    Fault("object without end", "{", error: malformed(9, "'\"'")),
    Fault("text behind the header", "{} x", error: malformed(11, "only spaces up to its end")),
    Fault("comma at the end", "{\(tensor()),}", data: 8, error: malformed(62, "'\"'")),
    Fault("string without end", "{\"abc", error: malformed(13, "the end of a string")),
    Fault("line feed in a string", "{\"a\nc\"", error: malformed(11, "the end of a string")),
    Fault("escape unknown to JSON", "{\"a\\q\"", error: malformed(12, "an escape that JSON knows")),
    Fault(
      "half a surrogate pair", "{\"\\uD83Cx\"",
      error: malformed(16, "a surrogate pair")),
    Fault(
      "number with a sign", "{\(tensor(shape: "-1"))}", data: 8,
      error: malformed(37, "a whole number")),
    Fault(
      "number with zeros", "{\(tensor(shape: "02"))}", data: 8,
      error: malformed(37, "a whole number")),
    Fault("fraction", "{\(tensor(shape: "2.0"))}", data: 8, error: malformed(38, "']'")),
    Fault(
      "number beyond 64 bits", "{\(tensor(shape: "99999999999999999999"))}",
      error: malformed(55, "a number below 2^63")),
    Fault(
      "metadata that is no text", "{\"__metadata__\":{\"a\":1}}", error: malformed(29, "'\"'")),
    Fault("the same metadata key twice", "{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}") {
      .duplicateKey(file: $0, key: "a")
    },
    Fault("the same tensor twice", "{\(tensor()),\(tensor(offsets: "8,16"))}", data: 16) {
      .duplicateKey(file: $0, key: "w")
    },
    Fault("the same tensor twice, once escaped", "{\(tensor()),\(tensor("\\u0077"))}", data: 8) {
      .duplicateKey(file: $0, key: "w")
    },
    Fault("the same field twice", "{\"w\":{\"dtype\":\"F32\",\"dtype\":\"F16\"}}") {
      .duplicateKey(file: $0, key: "w.dtype")
    },
    Fault(
      "unknown field", "{\"w\":{\"color\":1}}",
      error: malformed(22, "dtype, shape or data_offsets of tensor \"w\", not \"color\",")),
    Fault(
      "missing field", "{\"w\":{\"dtype\":\"F32\",\"shape\":[]}}",
      error: malformed(39, "dtype, shape and two data_offsets of tensor \"w\"")),
    Fault(
      "one offset", "{\(tensor(offsets: "0"))}",
      error: malformed(59, "dtype, shape and two data_offsets of tensor \"w\"")),
    Fault("three offsets", "{\(tensor(offsets: "0,4,8"))}", data: 8) {
      .tooLarge(file: $0, what: "offsets of tensor \"w\"", limit: 2, actual: 3)
    },
    Fault("17 sides", "{\(tensor(shape: "1" + String(repeating: ",1", count: 16)))}") {
      .tooLarge(file: $0, what: "sides of tensor \"w\"", limit: 16, actual: 17)
    },
    Fault("type that is not read", "{\(tensor(type: "F8_E4M3"))}", data: 8) {
      .unsupportedType(file: $0, tensor: "w", type: "F8_E4M3")
    },
    Fault("product that overflows", "{\(tensor(shape: "4294967296,4294967296"))}", data: 8) {
      .badShape(file: $0, tensor: "w", shape: [4_294_967_296, 4_294_967_296])
    },
    Fault("bytes that overflow", "{\(tensor(shape: "4611686018427387904"))}", data: 8) {
      .badShape(file: $0, tensor: "w", shape: [4_611_686_018_427_387_904])
    },
    Fault("fewer bytes than the shape needs", "{\(tensor(shape: "3"))}", data: 8) {
      .wrongSize(file: $0, tensor: "w", expected: 12, actual: 8)
    },
    Fault("end before begin", "{\(tensor(offsets: "8,0"))}", data: 8) {
      .outOfRange(file: $0, tensor: "w", begin: 8, end: 0, available: 8)
    },
    Fault("end outside the data", "{\(tensor())}", data: 7) {
      .outOfRange(file: $0, tensor: "w", begin: 0, end: 8, available: 7)
    },
    Fault("offsets of exabytes", "{\(tensor(offsets: "9223372036854775799,9223372036854775807"))}")
    {
      .outOfRange(
        file: $0, tensor: "w", begin: .max - 8, end: .max, available: 0)
    },
    Fault("overlap", "{\(tensor()),\(tensor("v", offsets: "4,12"))}", data: 12) {
      .misplaced(file: $0, tensor: "v", expected: 8, actual: 4)
    },
    Fault("gap", "{\(tensor()),\(tensor("v", offsets: "9,17"))}", data: 17) {
      .misplaced(file: $0, tensor: "v", expected: 8, actual: 9)
    },
    Fault("bytes behind the last tensor", "{\(tensor())}", data: 9) {
      .trailingBytes(file: $0, expected: 8, actual: 9)
    },
  ]

  @Test(arguments: faults)
  func refuses(fault: Fault) throws {
    let folder = try TemporaryFolder()
    let url = try folder.write(fault.bytes, as: "bad.safetensors")
    #expect(throws: fault.error(url.path)) { try SafetensorsFile(url: url) }
  }

  @Test func refusesMoreTensorsAndTextsThanAFileOfItsSizeNeeds() throws {
    let folder = try TemporaryFolder()
    let empty = (0..<5000).map { Self.tensor("\($0)", shape: "0", offsets: "0,0") }
    let url = try folder.write(safetensors("{\(empty.joined(separator: ","))}"), as: "many")
    let size = try Data(contentsOf: url).count
    let error = #expect(throws: CheckpointError.self) { try SafetensorsFile(url: url) }
    let limit = 4096 + size / 512
    #expect(
      error
        == .tooLarge(file: url.path, what: "number of tensors", limit: limit, actual: limit + 1))
    let texts = (0..<20_000).map { "\"\($0)\":\"\"" }.joined(separator: ",")
    let wordy = try folder.write(safetensors("{\"__metadata__\":{\(texts)}}"), as: "wordy")
    #expect(
      throws: CheckpointError.tooLarge(
        file: wordy.path, what: "number of metadata entries", limit: 16_384, actual: 16_385)
    ) { try SafetensorsFile(url: wordy) }
  }

  @Test func refusesTextThatIsNotUTF8() throws {
    let folder = try TemporaryFolder()
    var bytes = safetensors("{\"?\":{}}")
    bytes[10] = 0xFF
    let url = try folder.write(bytes, as: "bad.safetensors")
    #expect(
      throws: CheckpointError.malformedHeader(
        file: url.path, offset: 11, expected: "text in UTF-8")
    ) { try SafetensorsFile(url: url) }
  }

  @Test func refusesAFileCutAnywhere() throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: Goldens.url("library.safetensors"))
    for length in 0..<whole.count {
      let url = try folder.write(whole.prefix(length), as: "cut")
      #expect(throws: CheckpointError.self, "cut to \(length)") { try SafetensorsFile(url: url) }
    }
  }

  @Test func saysWhyAFileCannotBeOpened() throws {
    let folder = try TemporaryFolder()
    #expect(throws: CheckpointError.unreadable(file: folder.url.path, reason: "it is a directory"))
    {
      try SafetensorsFile(url: folder.url)
    }
    let missing = folder.file("missing")
    #expect(
      throws: CheckpointError.unreadable(file: missing.path, reason: "No such file or directory")
    ) { try SafetensorsFile(url: missing) }
    #expect(
      throws: CheckpointError.unreadable(file: "/dev/null", reason: "it is not a regular file")
    ) { try SafetensorsFile(url: URL(fileURLWithPath: "/dev/null")) }
  }

  @Test(arguments: [[], Array("<!DOCTYPE html>".utf8), [0x89, 0x50, 0x4E, 0x47]] as [[UInt8]])
  func unknownContentIsNamed(bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let url = try folder.write(bytes, as: "weights.safetensors")
    #expect(
      throws: CheckpointError.unknownFormat(file: url.path, firstBytes: Array(bytes.prefix(8)))
    ) { try CheckpointFile.open(url) }
  }
}
