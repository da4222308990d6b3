import Foundation
import SamTestSupport
import Testing

/// The program itself, as a shell meets it.
struct ProcessTests {
  /// Beside the test program; SwiftPM builds it there together with the tests.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("samswift")

  private func shell(_ script: String) throws -> (code: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, "sh", Self.program.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  @Test func exitsWithTheCommandsCode() throws {
    #expect(try shell("\"$1\" --version").code == 0)
    #expect(try shell("\"$1\" nonsense").code == 64)
    #expect(try shell("\"$1\" segment /nowhere/x.png --point 1,1").code == 1)
  }

  @Test func aReaderThatHasGoneIsNoSignalAndNoMessage() throws {
    // The pipe's reader ends before the program writes.
    let run = try shell("( sleep 0.2; \"$1\" info; echo \"code $?\" >&2 ) | true")
    #expect(run.output == "code 1\n")
  }

  @Test func aFullDeviceIsAFailure() throws {
    let run = try shell("\"$1\" info >/dev/full")
    #expect(run.code == 1)
    #expect(run.output == "error: cannot write standard output: no space left on device\n")
  }

  @Test func aResultThatOutgrowsTheLimitOfFilesLeavesTheOldOne() throws {
    let folder = try ScratchFolder()
    try folder.write("out.png", Array("old".utf8))
    let photo = TestPhotos.url("coffee.png").path
    let run = try shell(
      "cd '\(folder.path)' && trap '' XFSZ && ulimit -f 1 && "
        + "\"$1\" segment '\(photo)' --point 50%,50% --as overlay -o out.png; echo \"code $?\"")
    #expect(run.output == "error: cannot write out.png: file too large\ncode 1\n")
    #expect(try folder.bytes("out.png") == Array("old".utf8))
    #expect(try folder.names() == ["out.png"])
  }

  @Test func aNameThatIsNotUTF8IsRefusedInsteadOfReplaced() throws {
    let run = try shell("\"$1\" segment \"$(printf 'caf\\351.png')\" --point 1,1")
    #expect(run.code == 64)
    #expect(run.output.hasPrefix("error: 'caf\u{FFFD}.png' is not UTF-8."), "\(run.output)")
  }

  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func aClosedStreamIsNoOtherFile(_ closing: String) throws {
    let run = try shell("\"$1\" --version \(closing); echo \"code $?\"")
    #expect(run.output.hasSuffix("code \(closing.contains(" >&-") || closing == ">&-" ? 1 : 0)\n"))
    if closing == ">&-" {
      #expect(
        run.output == "error: cannot write standard output: bad file descriptor\ncode 1\n")
    }
  }
}
