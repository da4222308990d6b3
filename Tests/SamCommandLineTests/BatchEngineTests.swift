import Foundation
import SamTestSupport
import Testing

/// The engines of Tools/batch spread `samswift batch`, where they are installed.
struct BatchEngineTests {
  private static let tools = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Tools/batch")

  private static func run(_ program: String, _ words: [String], _ variables: [String: String])
    throws
    -> (code: Int32, output: String)
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + words
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private static let hasParallel =
    (try? run("parallel", ["--version"], [:]).output.hasPrefix("GNU parallel")) == true
  private static let python =
    ProcessInfo.processInfo.environment["SAMSWIFT_PYTHON"] ?? "python3"
  private static let hasSpark =
    (try? run("java", ["-version"], [:]).code) == 0
    && (try? run(python, ["-c", "import pyspark"], [:]).code) == 0

  /// A folder with a picture and requests for it; the third of them fails.
  private static func folder(count: Int) throws -> ScratchFolder {
    let folder = try ScratchFolder()
    let picture = folder.path("cup.png")
    try FileManager.default.copyItem(
      at: TestPhotos.url("coffee.png"), to: URL(fileURLWithPath: picture))
    let lines = (1...count).map { number in
      let image = number == 3 ? "/nowhere.png" : picture
      return #"{"id":"r\#(number)","image":"\#(image)","points":[[300,180]],"quality":"fast"}"#
        + "\n"
    }
    try folder.write("requests.jsonl", Array(lines.joined().utf8))
    return folder
  }

  /// Checks that every request was answered, in order.
  private static func check(_ answers: [Substring], count: Int) throws {
    let objects = try answers.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(objects.map { $0["id"] as? String } == (1...count).map { "r\($0)" })
    #expect(objects.map { $0["error"] == nil } == (1...count).map { $0 != 3 })
  }

  @Test(.enabled(if: hasParallel, "GNU parallel is not installed"))
  func gnuParallelSpreadsRequests() throws {
    let folder = try Self.folder(count: 7)
    let run = try Self.run(
      Self.tools.appendingPathComponent("parallel.sh").path,
      [folder.path("requests.jsonl"), folder.path("answers.jsonl"), "2"],
      ["SAMSWIFT": ProcessTests.program.path, "SAMSWIFT_BLOCK": "2"])
    try #require(run.code == 0, "\(run.output)")
    let answers = String(decoding: try folder.bytes("answers.jsonl"), as: UTF8.self)
    try Self.check(answers.split(separator: "\n"), count: 7)
  }

  @Test(.enabled(if: hasSpark, "Java or pyspark is not installed"))
  func sparkSpreadsRequests() throws {
    let folder = try Self.folder(count: 7)
    let run = try Self.run(
      Self.python,
      [
        Self.tools.appendingPathComponent("spark.py").path,
        "file://" + folder.path("requests.jsonl"),
        "file://" + folder.path("answers"), "--partitions", "2", "--samswift",
        ProcessTests.program.path,
      ],
      ["SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": Self.python])
    try #require(run.code == 0, "\(run.output.suffix(4000))")
    let parts = try FileManager.default.contentsOfDirectory(atPath: folder.path("answers"))
      .filter { $0.hasPrefix("part-") }.sorted()
    #expect(parts.count >= 2)
    let answers = try parts.map { part in
      String(decoding: try folder.bytes("answers/" + part), as: UTF8.self)
    }
    try Self.check(answers.joined().split(separator: "\n"), count: 7)
  }
}
