import Foundation
import SamCommandLine
import SamTestSupport
import Testing

/// `samswift batch`: JSON lines in, JSON lines out.
struct BatchTests {
  /// A folder with a small picture, so that a request takes little time.
  private static func folder() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try FileManager.default.copyItem(
      at: TestPhotos.url("coffee.png"), to: URL(fileURLWithPath: folder.path("cup.png")))
    return folder
  }

  private static func run(
    _ lines: [String], _ words: [String] = [], in folder: ScratchFolder
  ) async -> CommandRun {
    await CommandRun(
      ["batch"] + words, in: folder, input: Array(lines.joined(separator: "\n").utf8))
  }

  private static func object(_ line: String) throws -> [String: Any] {
    try #require(
      JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
  }

  // MARK: Answers

  @Test func answersEveryLineInOrder() async throws {
    let folder = try Self.folder()
    let run = await Self.run(
      [
        #"{"id":"one","image":"cup.png","points":[[300,180]],"mask":"m.png","quality":"fast"}"#,
        "", "  ",
        #"{"id":7,"image":"cup.png","prompts":[{"box":[180,30,430,260],"segmentation":true},"#
          + #"{"points":[[300,180],[60,60,0]]}],"quality":"balanced"}"#,
        #"{"image":"cup.png","points":[[60,60]],"cutout":"c.png","overlay":"o.jpg"}"#,
      ], in: folder)
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    let answers = try run.lines.map(Self.object)
    try #require(answers.count == 3)
    #expect(answers.map { "\($0["id"] ?? "")" } == ["one", "7", "5"])
    for answer in answers {
      #expect(answer["image"] as? String == "cup.png")
      #expect(answer["width"] as? Int == 600 && answer["height"] as? Int == 400)
      #expect(answer["error"] == nil)
    }
    let first = try #require((answers[0]["results"] as? [[String: Any]])?.first)
    #expect(first["files"] as? [String] == ["m.png"])
    #expect((first["score"] as? Double ?? 0) > 0.1 && (first["area"] as? Int ?? 0) > 1000)
    #expect((first["box"] as? [Double])?.count == 4)
    let second = try #require(answers[1]["results"] as? [[String: Any]])
    #expect(second.count == 2 && second[1]["segmentation"] == nil)
    let segmentation = try #require(second[0]["segmentation"] as? [String: Any])
    // A mask smaller than the picture is enlarged: run lengths are those of the picture.
    #expect(segmentation["size"] as? [Int] == [400, 600])
    let mask = try folder.bytes("m.png")
    #expect(mask.starts(with: [0x89, 0x50]))
    #expect(try folder.names() == ["c.png", "cup.png", "m.png", "o.jpg"])
  }

  @Test func everythingOfAPicture() async throws {
    let folder = try Self.folder()
    let options = #""points_per_side":4,"min_score":0.2,"min_stability":0.1"#
    let run = await Self.run(
      [
        #"{"image":"cup.png","everything":{\#(options)}}"#,
        #"{"image":"cup.png","everything":{\#(options),"records":"r.json","labels":"l.png"},"#
          + #""overlay":"o.png"}"#,
      ], in: folder)
    #expect(run.code == 0 && run.errors.isEmpty)
    let answers = try run.lines.map(Self.object)
    let records = try #require(answers[0]["records"] as? [[String: Any]])
    #expect(!records.isEmpty && answers[0]["objects"] as? Int == records.count)
    #expect(records[0]["stability_score"] != nil)
    #expect(answers[1]["records"] == nil && answers[1]["objects"] as? Int == records.count)
    #expect(answers[1]["files"] as? [String] == ["r.json", "l.png", "o.png"])
    let file = try #require(
      JSONSerialization.jsonObject(with: Data(folder.bytes("r.json"))) as? [[String: Any]])
    #expect(file.count == records.count)
  }

  @Test func anEmbeddingIsWrittenAndReused() async throws {
    let folder = try Self.folder()
    let run = await Self.run(
      [
        #"{"image":"cup.png","save_embedding":"cup.safetensors"}"#,
        #"{"image":"cup.png","points":[[300,180]],"quality":"fast"}"#,
        #"{"image":"cup.png","embedding":"cup.safetensors","points":[[300,180]],"quality":"fast"}"#,
      ], in: folder)
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    let answers = try run.lines.map(Self.object)
    #expect(answers[0]["embedding"] as? String == "cup.safetensors")
    let results = answers.dropFirst().map { ($0["results"] as? [[String: Any]])?.first ?? [:] }
    #expect(results[0]["score"] as? Double == results[1]["score"] as? Double)
    #expect(results[0]["area"] as? Int == results[1]["area"] as? Int)
  }

  // MARK: Failures

  static let faults: [(line: String, message: String)] = [
    ("[1]", "the line is not right: it must be an object"), ("nonsense", "not JSON"),
    (#"{"image":"cup.png""#, "not JSON"), ("{}", "image is missing"),
    (#"{"image":7}"#, "image is not right: it must be a file's name"),
    (#"{"image":"-","points":[[1,1]]}"#, "standard input holds the requests"),
    (#"{"image":"cup.png"}"#, "nothing says what to do"),
    (#"{"image":"cup.png","point":[[1,1]]}"#, "a request has no member 'point'"),
    (#"{"image":"cup.png","mask":"m.png"}"#, "mask wants an object"),
    (#"{"image":"cup.png","prompts":[]}"#, "prompts is not right"),
    (#"{"image":"cup.png","prompts":[{}]}"#, "a prompt points at nothing"),
    (#"{"image":"cup.png","prompts":[{"boxes":[]}]}"#, "a prompt has no member 'boxes'"),
    (#"{"image":"cup.png","prompts":[{"box":[1,1,5]}]}"#, "prompts[0].box is not right"),
    (
      #"{"image":"cup.png","prompts":[{"points":[[1,1]]}],"box":[0,0,9,9]}"#,
      "stands beside prompts"
    ),
    (#"{"image":"cup.png","points":[[1,1,2]]}"#, "points is not right"),
    (#"{"image":"cup.png","points":[[1,"1"]]}"#, "points is not right"),
    (#"{"image":"cup.png","points":[[1,1e999]]}"#, "not "),
    (#"{"image":"cup.png","points":[[601,1]]}"#, "is not on the picture of 600×400 pixels"),
    (#"{"image":"cup.png","points":[[1,1]],"quality":"best"}"#, "quality is not right"),
    (#"{"image":"cup.png","points":[[1,1]],"mask":"no/such/m.png"}"#, "no/such/m.png"),
    (#"{"image":"cup.png","points":[[1,1]],"cutout":"c.jpg"}"#, "JPEG has no transparency"),
    (#"{"image":"cup.png","points":[[1,1]],"embedding":"cup.png"}"#, "cup.png"),
    (#"{"image":"none.png","points":[[1,1]]}"#, "none.png"),
    (#"{"image":"cup.png","everything":false}"#, "everything is not right"),
    (#"{"image":"cup.png","everything":true,"points":[[1,1]]}"#, "does not go with points"),
    (
      #"{"image":"cup.png","everything":{"points_per_side":0}}"#, "pointsPerSide has to be 1 to 256"
    ),
    (#"{"image":"cup.png","everything":{"grid":3}}"#, "everything has no member 'grid'"),
    (#"{"id":1.5,"image":"cup.png"}"#, "id is not right"),
    (String(repeating: "[", count: 50_000), "deeper than 16 brackets"),
    (#"{"image":"\#(String(repeating: "x", count: 2_000_000))"}"#, "longer than 1048576 bytes"),
  ]

  @Test(arguments: faults.indices) func aFaultIsTheAnswerOfItsLine(_ index: Int) async throws {
    let (line, message) = Self.faults[index]
    let folder = try Self.folder()
    let good = #"{"id":"next","image":"cup.png","points":[[300,180]],"quality":"fast"}"#
    let run = await Self.run([line, good], in: folder)
    #expect(run.code == 0)
    #expect(run.errors.contains("1 of 2 requests failed"))
    try #require(run.lines.count == 2)
    let failure = try Self.object(run.lines[0])
    #expect(failure["id"] as? Int == 1 && failure["line"] as? Int == 1)
    let error = try #require(failure["error"] as? String)
    #expect(error.contains(message), "\(error)")
    #expect(try Self.object(run.lines[1])["id"] as? String == "next")
    #expect(try folder.names() == ["cup.png"])
  }

  @Test func bracketsInTextsDoNotNest() async throws {
    let name = String(repeating: "[{", count: 50) + #"\"["#
    let run = await Self.run(
      [#"{"image":"\#(name)","points":[[1,1]]}"#], in: try Self.folder())
    #expect(run.lines.first?.contains("there is no such file") == true, "\(run.lines)")
  }

  @Test func theLastLineNeedsNoLineBreakAndNothingIsAnAnswerToNothing() async throws {
    let folder = try Self.folder()
    #expect(await Self.run([], in: folder).output.isEmpty)
    #expect(await Self.run(["", "\r"], in: folder).output.isEmpty)
    let run = await Self.run([#"{"image":"none.png","points":[[1,1]]}"#], in: folder)
    #expect(run.lines.count == 1 && run.text.hasSuffix("}\n"))
  }

  @Test func aModelThatIsNotThereEndsTheRun() async throws {
    let run = await Self.run(
      ["{}"], ["--weights", "none.safetensors"], in: try Self.folder())
    #expect(run.code == 1 && run.output.isEmpty)
  }
}
