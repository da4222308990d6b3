import Foundation
import SamCommandLine
import Testing

/// `samswift batch --resume`: a run that was cut off goes on where it was.
struct BatchResumeTests {
  /// Requests that fail at once: what is answered does not matter here.
  private static let requests = (1...4).map {
    #"{"id":"r\#($0)","image":"none.png","box":[0,0,9,9]}"#
  }

  private static func run(_ folder: ScratchFolder) async -> CommandRun {
    await CommandRun(
      ["batch", "--resume", "out.jsonl"], in: folder,
      input: Array(requests.joined(separator: "\n").utf8))
  }

  private static func ids(_ folder: ScratchFolder) throws -> [String] {
    let text = String(decoding: try folder.bytes("out.jsonl"), as: UTF8.self)
    #expect(text.hasSuffix("\n"))
    return try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["id"] as? String ?? "?"
    }
  }

  @Test func theFirstRunMakesTheFileAndTheSecondAddsNothing() async throws {
    let folder = try ScratchFolder()
    let first = await Self.run(folder)
    #expect(first.code == 0 && first.output.isEmpty)
    #expect(try Self.ids(folder) == ["r1", "r2", "r3", "r4"])
    let bytes = try folder.bytes("out.jsonl")
    let second = await Self.run(folder)
    #expect(second.errors == "note: 4 were answered before\n")
    #expect(try folder.bytes("out.jsonl") == bytes)
  }

  /// Wherever the file is cut off, the next run makes it whole.
  @Test func everyTornEndIsMended() async throws {
    let folder = try ScratchFolder()
    _ = await Self.run(folder)
    let whole = try folder.bytes("out.jsonl")
    let lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let second = lines[0].count + 1
    let third = second + lines[1].count + 1
    for end in [0, 1, 5, second - 1, second, second + 3, second + 20, third - 1, whole.count - 1] {
      try folder.write("out.jsonl", Array(whole[..<end]))
      let run = await Self.run(folder)
      #expect(run.code == 0, "cut at \(end): \(run.errors)")
      #expect(try folder.bytes("out.jsonl") == whole, "cut at \(end)")
    }
  }

  @Test func numbersAndTextsAreDifferentNames() async throws {
    let folder = try ScratchFolder()
    try folder.write("out.jsonl", Array(#"{"id":"1","error":"x"}"#.utf8 + [0x0A]))
    let run = await CommandRun(
      ["batch", "--resume", "out.jsonl"], in: folder, input: Array(#"{"id":1}"#.utf8))
    #expect(run.code == 0)
    let text = String(decoding: try folder.bytes("out.jsonl"), as: UTF8.self)
    #expect(text.split(separator: "\n").count == 2)
  }

  static let foreign = [
    "hello\n", "hello", "{\"a\":1}\n", "{\"id\":1}\n{\"id\":2\n{\"id\":3}\n", "{\"id\":1}\n\n",
    "\n",
  ]

  @Test(arguments: foreign) func aFileThatHoldsAnythingElseStaysAsItIs(_ text: String) async throws
  {
    let folder = try ScratchFolder()
    try folder.write("out.jsonl", Array(text.utf8))
    let run = await Self.run(folder)
    #expect(run.code == 1)
    #expect(run.errors.contains("is no answer of samswift batch"), "\(run.errors)")
    #expect(try folder.bytes("out.jsonl") == Array(text.utf8))
  }

  @Test func twoRunsDoNotShareAFile() async throws {
    let folder = try ScratchFolder()
    let file = open(folder.path("out.jsonl"), O_RDWR | O_CREAT, 0o644)
    defer { close(file) }
    try #require(flock(file, LOCK_EX | LOCK_NB) == 0)
    let run = await Self.run(folder)
    #expect(run.code == 1 && run.errors.contains("another process is writing it"))
  }
}
