import Foundation
import SamCommandLine
import SamSwift
import SamTestSupport
import Testing

/// `samswift segment` with the Lite model on real photographs, the whole way from words to files.
struct SegmentTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    for name in ["coffee.png", "rocket.jpg", "chelsea.png"] {
      try FileManager.default.copyItem(
        at: TestPhotos.url(name), to: URL(fileURLWithPath: folder.path(name)))
    }
  }

  private func picture(_ name: String) throws -> PixelImage {
    try ImageDecoder().decode(Data(folder.bytes(name)))
  }

  @Test func writesTheMaskOfTheCupUnderANameOfItsOwn() async throws {
    let run = await CommandRun(["segment", "coffee.png", "--point", "300,180"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.text == "coffee-mask.png\n")
    #expect(run.errors.isEmpty)
    let mask = try picture("coffee-mask.png")
    #expect(mask.width == 600 && mask.height == 400 && mask.channels == 1)
    #expect(mask.pixels[180 * 600 + 300] >= 128)
    #expect(mask.pixels[60 * 600 + 300] >= 128)
    #expect(mask.pixels[30 * 600 + 60] < 128)
    #expect(mask.pixels[380 * 600 + 580] < 128)
  }

  @Test(arguments: [("fast", 128, 86), ("balanced", 512, 341), ("accurate", 600, 400)])
  func theQualityDecidesTheMasksSize(_ level: String, _ width: Int, _ height: Int) async throws {
    let run = await CommandRun(
      ["segment", "coffee.png", "--point", "50%,45%", "--quality", level, "-o", "m.png"],
      in: folder)
    #expect(run.code == 0, "\(run.errors)")
    let mask = try picture("m.png")
    #expect(mask.width == width && mask.height == height)
  }

  @Test func aCutoutHasTheMaskAsAlpha() async throws {
    let run = await CommandRun(
      ["segment", "coffee.png", "--point", "300,180", "-o", "cup-cutout.png"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    let cutout = try picture("cup-cutout.png")
    #expect(cutout.channels == 4 && cutout.width == 600 && cutout.height == 400)
    #expect(cutout.pixels[(180 * 600 + 300) * 4 + 3] > 200)
    #expect(cutout.pixels[(30 * 600 + 60) * 4 + 3] < 50)
  }

  @Test func anOverlayShowsMaskAndPrompts() async throws {
    let run = await CommandRun(
      [
        "segment", "coffee.png", "--point", "300,180", "--exclude", "60,60", "--as", "overlay",
        "-o", "seen.png",
      ], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    let before = try picture("coffee.png")
    let after = try picture("seen.png")
    #expect(after.channels == 3 && after.width == 600 && after.height == 400)
    let color = { (x: Int, y: Int) in Array(after.pixels[(y * 600 + x) * 3..<(y * 600 + x) * 3 + 3])
    }
    #expect(color(300, 180) == [46, 204, 64])
    #expect(color(60, 60) == [255, 65, 54])
    let untouched = (380 * 600 + 580) * before.channels
    #expect(color(580, 380) == Array(before.pixels[untouched..<untouched + 3]))
  }

  @Test func aJPEGNameGivesAJPEG() async throws {
    let run = await CommandRun(
      ["segment", "rocket.jpg", "--box", "280,30,370,400", "-o", "rocket-overlay.jpeg"],
      in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try folder.bytes("rocket-overlay.jpeg").starts(with: [0xFF, 0xD8, 0xFF]))
  }

  @Test func jsonSaysWhatWasFound() async throws {
    let run = await CommandRun(
      ["segment", "rocket.jpg", "--box", "370,400,280,30", "--as", "json"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    let report = try JSONDecoder().decode(Report.self, from: Data(run.output))
    #expect(report.image == .init(file: "rocket.jpg", width: 640, height: 427))
    #expect(report.prompt.box == [280, 30, 370, 400])
    #expect((0...1).contains(report.score))
    let box = try #require(report.box)
    #expect(box[0] > 250 && box[1] > 10 && box[2] < 400 && box[3] < 427)
    #expect((1000...40000).contains(report.area))
    #expect(report.candidates.count == 3)
    #expect(report.candidates.allSatisfy { $0.area == nil })
    #expect(report.timings.encode > 0)
    #expect(report.versions.samswift == SamCommandLine.version)
    #expect(report.versions.model == "lite")
    #expect(try folder.names().count == 3)
  }

  @Test func allMeasuresTheThreeReadings() async throws {
    let run = await CommandRun(
      ["segment", "coffee.png", "--point", "300,180", "--all", "-o", "c.json"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.text == "c.json\n")
    let report = try JSONDecoder().decode(Report.self, from: Data(folder.bytes("c.json")))
    #expect(report.candidates.count == 3)
    let scores = report.candidates.map(\.score)
    #expect(scores == scores.sorted(by: >))
    #expect(report.candidates.allSatisfy { $0.area != nil })
    #expect(report.score == scores.first)
  }

  @Test func allWritesThreeFiles() async throws {
    let run = await CommandRun(
      ["segment", "coffee.png", "--point", "300,180", "--all", "-o", "cup.png"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.lines == ["cup-1.png", "cup-2.png", "cup-3.png"])
    for name in run.lines { #expect(try picture(name).width == 600) }
    #expect(try !folder.names().contains("cup.png"))
  }

  @Test func aDashIsAStandardStream() async throws {
    let run = await CommandRun(
      ["segment", "-", "--point", "50%,45%", "-o", "-"], in: folder,
      input: try folder.bytes("coffee.png"))
    #expect(run.code == 0, "\(run.errors)")
    let mask = try ImageDecoder().decode(Data(run.output))
    #expect(mask.width == 600 && mask.channels == 1)
  }

  @Test func aScribbleOfAnotherSizeFindsTheCat() async throws {
    var strokes = [UInt8](repeating: 0, count: 90 * 60)
    for x in 30..<60 { strokes[25 * 90 + x] = 255 }
    let scribble = PixelImage(width: 90, height: 60, channels: 1, pixels: strokes)
    try folder.write("strokes.png", [UInt8](ImageEncoder.encode(scribble, as: .png)))
    let run = await CommandRun(
      ["segment", "chelsea.png", "--scribble", "strokes.png", "-o", "cat.png"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    let mask = try picture("cat.png")
    #expect(mask.pixels[120 * mask.width + 230] >= 128)
    #expect(mask.pixels[20 * mask.width + 440] < 128)
  }

  @Test func verboseNamesEveryStep() async throws {
    let run = await CommandRun(
      ["segment", "coffee.png", "--point", "300,180", "-v"], in: folder)
    let steps = run.errors.split(separator: "\n").map { line in
      line.prefix(while: { !$0.isNumber }).trimmingCharacters(in: .whitespaces)
    }
    #expect(
      steps == ["load", "decode image", "encode", "prompt", "mask", "write", "total"],
      "\(run.errors)")
  }

  @Test func progressIsShownOnATerminalAndWiped() async throws {
    let run = await CommandRun(
      ["segment", "coffee.png", "--point", "300,180"], in: folder, onTerminal: true)
    #expect(run.errors.contains("Encoding coffee.png"))
    #expect(run.errors.hasSuffix("\r\u{1B}[K"))
  }

  @Test func aPictureDoesNotGarbleTheScreen() async throws {
    let run = await CommandRun(
      ["segment", "coffee.png", "--point", "300,180", "-o", "-"], in: folder, onTerminal: true)
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("would garble the screen"))
  }

  @Test func aReaderThatHasGoneEndsQuietly() async throws {
    let run = await CommandRun(
      ["segment", "coffee.png", "--point", "300,180", "--as", "json"], in: folder,
      output: ClosedSink())
    #expect(run.code == 1)
    #expect(run.errors.isEmpty)
  }

  /// What the JSON must hold; the decoder fails where a member is missing or of another type.
  private struct Report: Decodable {
    struct Image: Decodable, Equatable { let file: String, width: Int, height: Int }
    struct Prompt: Decodable { let box: [Double]? }
    struct Candidate: Decodable { let score: Double, area: Int?, box: [Double]? }
    struct Timings: Decodable {
      let load: Double, decodeImage: Double, encode: Double, prompt: Double, mask: Double
    }
    struct Versions: Decodable { let samswift: String, model: String }
    let image: Image
    let prompt: Prompt
    let score: Double
    let box: [Double]?
    let area: Int
    let candidates: [Candidate]
    let timings: Timings
    let versions: Versions
  }
}
