import Foundation
import SamCommandLine
import SamSwift
import Testing

/// `samswift eval` from words to files.
struct EvalTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try LabelledPhotograph.write(to: folder)
  }

  @Test func saysWhatTwoLevelsComeToAndWhatTheSecondAdds() async throws {
    let run = await CommandRun(["eval", "photographs", "--precision", "f32"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    #expect(run.lines.first == "1 photograph, 2 objects, model lite, precision f32")
    for beginning in [
      "balanced ", "accurate ", "  mean IoU ", "  boundary F ", "  IoU against balanced ",
    ] {
      #expect(run.lines.contains { $0.hasPrefix(beginning) }, "\(beginning)")
    }
    for step in ["encode a photograph", "decode a prompt", "make a mask, accurate"] {
      #expect(run.lines.contains { $0.hasPrefix("  " + step) && $0.hasSuffix(" ms") }, "\(step)")
    }
    #expect(try folder.names() == ["photographs"])
  }

  @Test func csvHasARowForEveryObjectAndLevel() async throws {
    let run = await CommandRun(
      ["eval", "photographs", "--quality", "fast", "--quality", "balanced", "--csv", "-"],
      in: folder)
    #expect(run.code == 0, "\(run.errors)")
    let rows = run.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(rows.count == 5)
    #expect(rows.allSatisfy { $0.count == 13 })
    #expect(rows[0].prefix(5) == ["picture", "label", "share", "quality", "box_iou"])
    #expect(rows.dropFirst().map { $0[1] } == ["1", "5", "1", "5"])
    #expect(rows.dropFirst().map { $0[3] } == ["fast", "fast", "balanced", "balanced"])
    for row in rows.dropFirst() {
      let iou = try #require(Double(row[4]))
      #expect((0...1).contains(iou))
    }
  }

  @Test func jsonHoldsMeansAndTable() async throws {
    let run = await CommandRun(
      [
        "eval", "photographs", "--quality", "balanced", "--json", "all.json", "--precision", "f32",
        "--against", "f32",
      ], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    let report = try JSONDecoder().decode(Report.self, from: Data(folder.bytes("all.json")))
    #expect(report.photographs == 1 && report.objects == 2)
    #expect(report.levels.map(\.quality) == ["balanced"])
    let mean = try #require(report.levels[0].means["box"])
    let boxes = report.table.map(\.box.iou)
    #expect(boxes.count == 2)
    #expect(abs(mean - boxes.reduce(0, +) / 2 * 100) < 0.01)
    #expect(report.agreement?.means == ["box": 100, "click1": 100, "click3": 100, "click5": 100])
    #expect(report.milliseconds["decode_prompt"] ?? 0 > 0)
  }

  @Test func theSheetIsAPicture() async throws {
    let run = await CommandRun(
      ["eval", "photographs", "--quality", "balanced", "--sheet", "cases.png"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    let sheet = try ImageDecoder().decode(Data(folder.bytes("cases.png")))
    #expect(sheet.width == 1000)
  }

  @Test func progressIsShownOnATerminalAndWiped() async throws {
    let run = await CommandRun(
      ["eval", "photographs", "--quality", "balanced"], in: folder, onTerminal: true)
    #expect(run.errors.contains("[====================] 1 of 1 photographs"))
    #expect(run.errors.hasSuffix("\r\u{1B}[K"))
  }

  @Test(arguments: [
    (["--csv", "-", "--json", "-"], "cannot share standard output"),
    (["--sheet", "-"], "--sheet takes the name of a PNG file"),
    (["--quality", "best"], "one of fast, balanced, accurate"),
    (["--limit", "0"], "a whole number from 1"),
  ])
  func wrongUseIsExplained(_ words: [String], _ message: String) async throws {
    let run = await CommandRun(["eval", "photographs"] + words, in: folder)
    #expect(run.code == 64)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func aFolderThatIsMissingOrEmptyIsAFailure() async throws {
    let missing = await CommandRun(["eval", "nowhere"], in: folder)
    #expect(missing.code == 1)
    #expect(missing.errors.contains("nowhere: cannot be listed"))
    let empty = await CommandRun(["eval", "."], in: folder)
    #expect(empty.code == 1)
    #expect(empty.errors.contains("no NAME.jpg or NAME.jpeg with a label map"))
  }

  @Test func whatCannotBeWrittenIsFoundOutBeforeTheWork() async throws {
    let run = await CommandRun(["eval", "nowhere", "--csv", "photographs"], in: folder)
    #expect(run.code == 1)
    #expect(run.errors.contains("cannot write photographs: it is a folder"))
  }

  private struct Report: Decodable {
    struct Level: Decodable {
      let quality: String
      let means: [String: Double]

      enum CodingKeys: String, CodingKey {
        case quality
        case means = "mean_iou_percent"
      }
    }
    struct Agreement: Decodable {
      let means: [String: Double]

      enum CodingKeys: String, CodingKey {
        case means = "mean_iou_percent"
      }
    }
    struct Row: Decodable {
      struct Score: Decodable { let iou: Double }
      let box: Score
    }
    let photographs: Int
    let objects: Int
    let levels: [Level]
    let agreement: Agreement?
    let milliseconds: [String: Double]
    let table: [Row]
  }
}
