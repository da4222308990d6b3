import Foundation
import SamCommandLine
import SamSwift
import SamTestSupport
import Testing

/// `samswift segment --format`.
struct ExportTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try FileManager.default.copyItem(
      at: TestPhotos.url("coffee.png"), to: URL(fileURLWithPath: folder.path("coffee.png")))
  }

  private func export(_ format: String, _ more: String...) async throws -> CommandRun {
    let run = await CommandRun(
      ["segment", "coffee.png", "--point", "300,180", "--format", format] + more, in: folder)
    #expect(run.code == 0, "\(run.errors)")
    return run
  }

  private func object(_ run: CommandRun) throws -> NSDictionary {
    try #require(JSONSerialization.jsonObject(with: Data(run.output)) as? NSDictionary)
  }

  @Test func runLengthsHoldTheMask() async throws {
    let object = try object(try await export("coco-rle"))
    let segmentation = try #require(object["segmentation"] as? NSDictionary)
    #expect(segmentation["size"] as? [Int] == [400, 600])
    let runs = try MaskRuns(
      width: 600, height: 400, compressed: #require(segmentation["counts"] as? String))
    #expect(object["area"] as? Int == runs.area)
    #expect(object["bbox"] as? [Int] == runs.box)
    // The same mask as a picture.
    _ = try await export("mask1", "-o", "mask.png")
    let mask = try ImageDecoder().decode(Data(folder.bytes("mask.png")))
    let inside = stride(from: 0, to: mask.pixels.count, by: mask.channels)
      .count { mask.pixels[$0] == 255 }
    #expect(inside == runs.area)
  }

  @Test func masksAreFilesOfThePicturesSize() async throws {
    let run = try await export("mask", "--quality", "fast")
    #expect(run.text == "coffee-mask.png\n")
    let mask = try ImageDecoder().decode(Data(folder.bytes("coffee-mask.png")))
    #expect(mask.width == 600 && mask.height == 400 && mask.channels == 1)
  }

  @Test func aCOCOFileNamesPictureAndLabel() async throws {
    let object = try object(try await export("coco", "--label", "cup"))
    let image = try #require((object["images"] as? [NSDictionary])?.first)
    #expect(image["file_name"] as? String == "coffee.png")
    let category = try #require((object["categories"] as? [NSDictionary])?.first)
    #expect(category["name"] as? String == "cup")
    let annotation = try #require((object["annotations"] as? [NSDictionary])?.first)
    #expect((annotation["segmentation"] as? [[Double]])?.isEmpty == false)
  }

  @Test(arguments: ["geojson", "labelme"]) func polygonsAreJSON(_ format: String) async throws {
    let text = try await export(format, "--label", "cup").text
    #expect(text.contains("\"cup\"") && text.hasSuffix("}\n"))
  }

  @Test func aLargerToleranceGivesFewerPoints() async throws {
    let fine = try await export("svg", "--tolerance", "0").output.count
    let coarse = try await export("svg", "--tolerance", "5").output.count
    #expect(coarse * 3 < fine)
  }

  @Test func anSVGIsWrittenToAFile() async throws {
    let run = try await export("svg", "-o", "cup.svg")
    #expect(run.text == "cup.svg\n")
    #expect(String(decoding: try folder.bytes("cup.svg"), as: UTF8.self).hasPrefix("<svg xmlns="))
  }

  @Test func yoloIsOneLine() async throws {
    let run = try await export("yolo")
    #expect(run.lines.count == 1)
    let numbers = run.lines[0].split(separator: " ").compactMap { Double($0) }
    #expect(numbers.first == 0 && numbers.count % 2 == 1)
    #expect(numbers.dropFirst().allSatisfy { (0...1).contains($0) })
  }

  @Test func allReadingsAreFilesOfTheirOwn() async throws {
    let run = try await export("geojson", "--all", "-o", "cup.json")
    #expect(run.lines == ["cup-1.json", "cup-2.json", "cup-3.json"])
  }

  @Test func cleaningChangesWhatIsExported() async throws {
    let clean = try object(
      try await export(
        "coco", "--keep-clicked", "--fill-holes", "100000", "--smooth", "2", "--tolerance", "0"))
    let annotation = try #require((clean["annotations"] as? [NSDictionary])?.first)
    #expect((annotation["segmentation"] as? [[Double]])?.count == 1)
  }

  @Test(arguments: [
    (["--format", "pascal"], "it must be one of coco-rle, coco, geojson"),
    (["--format", "svg", "--as", "mask"], "--as and --format exclude each other"),
    (["--format", "mask", "-o", "m.jpg"], "masks are PNG files; .jpg is not one"),
    (["--format", "svg", "--all"], "--all writes several files"),
    (["--tolerance", "2"], "Add --format NAME"), (["--label", "cup"], "Add --format NAME"),
    (["--format", "svg", "--tolerance", "-1"], "a number from 0"),
  ])
  func wrongUsageSaysHowToPutItRight(_ words: [String], _ message: String) async throws {
    let run = await CommandRun(["segment", "coffee.png", "--point", "1,1"] + words, in: folder)
    #expect(run.code == 64)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(try folder.names() == ["coffee.png"])
  }
}
