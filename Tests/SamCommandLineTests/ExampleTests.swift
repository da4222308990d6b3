import Foundation
import SamCommandLine
import SamTestSupport
import SamWeights
import Testing

/// The command lines that the help shows work as they stand, given the files that they name.
struct ExampleTests {
  private static let examples = SamCommandLine.commandTypes.flatMap { command in
    command.specification.examples.filter { !$0.needsNetwork }.map(\.line)
  }

  @Test(arguments: examples) func works(_ line: String) async throws {
    let folder = try ScratchFolder()
    // Formats are recognised by content, so that a PNG may stand for a JPEG, safetensors for .pt.
    let stands = [
      "cat.jpg": TestPhotos.url("chelsea.png"), "sam.pt": try #require(LiteWeights.locate()),
    ]
    for (name, file) in stands {
      try FileManager.default.copyItem(at: file, to: URL(fileURLWithPath: folder.path(name)))
    }
    try LabelledPhotograph.write(to: folder)
    let request = #"{"image":"cat.jpg","points":[[220,130]]}"#
    try folder.write("requests.jsonl", Array(request.utf8))
    var words = line.split(separator: " ").map(String.init)
    #expect(words.first == "samswift")
    var input: [UInt8] = []
    if let arrow = words.firstIndex(of: "<") {
      input = try folder.bytes(words[arrow + 1])
      words.removeSubrange(arrow...arrow + 1)
    }
    let run = await CommandRun(Array(words.dropFirst()), in: folder, input: input)
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test func everyCommandHasOne() {
    for command in SamCommandLine.commandTypes {
      #expect(!command.specification.examples.isEmpty, "\(command)")
    }
  }
}
