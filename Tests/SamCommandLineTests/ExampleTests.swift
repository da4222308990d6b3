import Foundation
import SamCommandLine
import SamTestSupport
import Testing

/// The command lines that the help shows work as they stand, given the files that they name.
struct ExampleTests {
  private static let examples = SamCommandLine.commandTypes.flatMap { command in
    command.specification.examples.map(\.line)
  }

  @Test(arguments: examples) func works(_ line: String) async throws {
    let folder = try ScratchFolder()
    // Formats are recognised by content, so that a PNG may stand for the help's JPEG.
    try FileManager.default.copyItem(
      at: TestPhotos.url("chelsea.png"), to: URL(fileURLWithPath: folder.path("cat.jpg")))
    let words = line.split(separator: " ").map(String.init)
    #expect(words.first == "samswift")
    let run = await CommandRun(Array(words.dropFirst()), in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(!run.output.isEmpty)
  }

  @Test func everyCommandHasOne() {
    for command in SamCommandLine.commandTypes {
      #expect(!command.specification.examples.isEmpty, "\(command)")
    }
  }
}
