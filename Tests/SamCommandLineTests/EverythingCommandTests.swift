import Foundation
import SamCommandLine
import SamSwift
import SamTestSupport
import Testing

/// `samswift everything` and `samswift embed`.
struct EverythingCommandTests {
  private static let grid = [
    "--points-per-side", "4", "--min-score", "0.2", "--min-stability", "0.1",
  ]

  private static func folder() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    for (name, photo) in [("cup.png", "coffee.png"), ("cat.png", "chelsea.png")] {
      try FileManager.default.copyItem(
        at: TestPhotos.url(photo), to: URL(fileURLWithPath: folder.path(name)))
    }
    return folder
  }

  private static func records(_ bytes: [UInt8]) throws -> [[String: Any]] {
    try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]])
  }

  @Test func recordsGoToStandardOutput() async throws {
    let folder = try Self.folder()
    let run = await CommandRun(["everything", "cup.png"] + Self.grid, in: folder)
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    let records = try Self.records(run.output)
    #expect(!records.isEmpty)
    for record in records {
      let segmentation = try #require(record["segmentation"] as? [String: Any])
      #expect(segmentation["size"] as? [Int] == [400, 600])
      #expect(segmentation["counts"] is String)
      #expect((record["predicted_iou"] as? Double ?? 0) > 0.2)
    }
    let plain = await CommandRun(
      ["everything", "cup.png", "--plain-counts"] + Self.grid, in: folder)
    for (record, other) in zip(try Self.records(plain.output), records) {
      let counts = (record["segmentation"] as? [String: Any])?["counts"] as? [Int]
      #expect(counts?.reduce(0, +) == 240_000)
      #expect(record["area"] as? Int == other["area"] as? Int)
    }
  }

  @Test func oneRunWritesAllResults() async throws {
    let folder = try Self.folder()
    let run = await CommandRun(
      ["everything", "cup.png", "-o", "r.json", "-o", "cup-labels.png", "-o", "seen.jpg", "-v"]
        + Self.grid, in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.lines == ["r.json", "cup-labels.png", "seen.jpg"])
    #expect(run.errors.contains("objects\n") && run.errors.contains("total"))
    #expect(!(try Self.records(folder.bytes("r.json"))).isEmpty)
    #expect(try folder.bytes("cup-labels.png").starts(with: [0x89, 0x50]))
    #expect(try folder.bytes("seen.jpg").starts(with: [0xFF, 0xD8]))
  }

  @Test func showsABarOnATerminal() async throws {
    let run = await CommandRun(
      ["everything", "cup.png", "-o", "r.json"] + Self.grid, in: try Self.folder(),
      onTerminal: true)
    #expect(run.errors.contains("[====================] 100 %  16 of 16 points"))
    #expect(run.errors.hasSuffix("\r\u{1B}[K"))
  }

  @Test func nothingFoundIsANote() async throws {
    let run = await CommandRun(
      ["everything", "cup.png", "--points-per-side", "2", "--min-score", "1"],
      in: try Self.folder())
    #expect(run.code == 0 && run.text == "[]\n")
    #expect(run.errors.contains("no object was found"))
  }

  static let wrong: [(words: [String], message: String)] = [
    (["--points-per-side", "0"], "a whole number from 1 to 256"),
    (["--min-score", "2"], "a number from 0.0 to 1.0"),
    (["--crop-layers", "9"], "a whole number from 0 to 4"),
    (["-o", "labels.jpg"], "a label map in JPEG would lose its numbers"),
    (["-o", "a.gif"], "results are JSON, PNG or JPEG"),
    (["-o", "a.json", "-o", "a.json"], "given twice"),
  ]

  @Test(arguments: wrong.indices) func refusesWhatCannotBeMeant(_ index: Int) async throws {
    let run = await CommandRun(
      ["everything", "cup.png"] + Self.wrong[index].words, in: try Self.folder())
    #expect(run.code == 64)
    #expect(run.errors.contains(Self.wrong[index].message), "\(run.errors)")
  }

  // MARK: Embeddings

  @Test func anEmbeddingSparesTheEncoderAndChangesNothing() async throws {
    let folder = try Self.folder()
    let embed = await CommandRun(["embed", "cup.png", "-o", "cup.safetensors"], in: folder)
    #expect(embed.code == 0 && embed.lines == ["cup.safetensors"], "\(embed.errors)")
    let commands = [
      ["everything", "cup.png"] + Self.grid,
      ["segment", "cup.png", "--point", "300,180", "-o", "-", "--quality", "fast"],
      ["lift", "cup.png", "--point", "300,180", "-o", "-"],
    ]
    for words in commands {
      let expected = await CommandRun(words, in: folder)
      let reused = await CommandRun(words + ["--embedding", "cup.safetensors"], in: folder)
      #expect(reused.code == 0, "\(reused.errors)")
      #expect(reused.output == expected.output)
    }
  }

  @Test func namesAFileWhereNoneIsGiven() async throws {
    let folder = try Self.folder()
    let run = await CommandRun(["embed", "cup.png"], in: folder)
    #expect(run.lines == ["cup.embedding.safetensors"])
    #expect(try folder.names().contains("cup.embedding.safetensors"))
    #expect(await CommandRun(["embed", "cup.png", "-o", "-"], in: folder).code == 64)
  }

  @Test func anEmbeddingOfAnotherPictureIsRefused() async throws {
    let folder = try Self.folder()
    _ = await CommandRun(["embed", "cup.png", "-o", "e"], in: folder)
    let other = await CommandRun(
      ["segment", "cat.png", "--point", "50%,50%", "--embedding", "e"], in: folder)
    #expect(other.code == 1)
    #expect(
      other.errors.contains("it belongs to a picture of 600×400 pixels, this one has 451×300"))
    // The same size, turned upside down.
    let turned = try ImageDecoder(orientation: .explicit(.down)).decode(
      contentsOf: TestPhotos.url("coffee.png"))
    try ImageEncoder.write(turned, to: URL(fileURLWithPath: folder.path("turned.png")))
    let same = await CommandRun(
      ["segment", "turned.png", "--point", "50%,50%", "--embedding", "e"], in: folder)
    #expect(same.code == 1)
    #expect(same.errors.contains("it belongs to another picture of the same size"))
    #expect(!(try folder.names().contains { $0.contains("-mask") }))
  }
}
