import Foundation
import SamCommandLine
import Testing

/// The help as it was when somebody last looked at it.
///
/// After a change on purpose: `SAMSWIFT_RECORD=1 swift test --filter HelpTests`, then read the
/// difference that git shows.
struct HelpTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Help")

  @Test(arguments: [[]] + SamCommandLine.commandPaths)
  func isAsRecorded(_ path: [String]) async throws {
    let run = await CommandRun(path + ["--help"], in: try ScratchFolder())
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    let name = (["samswift"] + path).joined(separator: "-") + ".txt"
    let file = Self.folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["SAMSWIFT_RECORD"] == "1" {
      try run.text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == run.text)
  }

  @Test(arguments: [[]] + SamCommandLine.commandPaths)
  func fitsAScreenAndEndsInOneLineBreak(_ path: [String]) async throws {
    let text = await CommandRun(path + ["-h"], in: try ScratchFolder()).text
    let isExample = { (line: Substring) in line.hasPrefix("  samswift ") || line.hasPrefix("  # ") }
    for line in text.split(separator: "\n") where !isExample(line) {
      #expect(line.count <= 80, "\(line)")
    }
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
  }

  @Test func helpBeforeACommandIsTheSame() async throws {
    let folder = try ScratchFolder()
    let before = await CommandRun(["help", "segment"], in: folder)
    let after = await CommandRun(["segment", "--help"], in: folder)
    #expect(before.text == after.text)
    #expect(await CommandRun(["help"], in: folder).text == CommandRun(["-h"], in: folder).text)
  }

  @Test func helpWinsOverWrongArguments() async throws {
    let run = await CommandRun(["segment", "--nonsense", "--help"], in: try ScratchFolder())
    #expect(run.code == 0)
    #expect(run.text.contains("Usage: samswift segment IMAGE"))
  }

  @Test func printsTheVersion() async throws {
    let run = await CommandRun(["--version"], in: try ScratchFolder())
    #expect(run.code == 0)
    #expect(run.text == "samswift \(SamCommandLine.version)\n")
  }
}
