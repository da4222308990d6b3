import Foundation
import SamCommandLine
import SamSwift
import SamTestSupport
import Testing

/// What comes from outside and is wrong: a clear error, no crash, and every file as it was.
struct BadInputTests {
  private let folder: ScratchFolder
  /// What stands at the output's place before each run.
  private let old: [UInt8] = Array("old".utf8)

  init() throws {
    folder = try ScratchFolder()
    let photo = try [UInt8](Data(contentsOf: TestPhotos.url("coffee.png")))
    let jpeg = try [UInt8](Data(contentsOf: TestPhotos.url("rocket.jpg")))
    try folder.write("photo.png", photo)
    try folder.write("empty.png", [])
    try folder.write("text.png", Array("not a picture".utf8))
    try folder.write("half.png", Array(photo[..<(photo.count / 2)]))
    try folder.write("half.jpg", Array(jpeg[..<(jpeg.count / 2)]))
    try folder.write("head.jpg", Array(jpeg[..<20]))
    try folder.write("out.png", old)
    try FileManager.default.createDirectory(
      atPath: folder.path("folder.png"), withIntermediateDirectories: false)
  }

  private func run(_ words: [String]) async throws -> CommandRun {
    let run = await CommandRun(words, in: folder)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("error: "), "\(run.errors)")
    #expect(try folder.bytes("out.png") == old)
    return run
  }

  @Test(arguments: [
    "missing.png", "empty.png", "text.png", "half.png", "half.jpg", "head.jpg", "folder.png", "-",
  ])
  func aPictureThatCannotBeReadIsNamed(_ name: String) async throws {
    let run = try await run(["segment", name, "--point", "5,5", "-o", "out.png"])
    #expect(run.code == 1)
    #expect(run.errors.contains(name == "-" ? "standard input" : name), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    ["--point", "600.5,5"], ["--point", "5,5", "--exclude", "5,-1"], ["--point", "101%,5"],
    ["--box", "5,5,5,300"], ["--box", "700,5,800,300"],
  ])
  func aPlaceOutsideThePictureIsWrongUsage(_ prompt: [String]) async throws {
    let run = try await run(["segment", "photo.png", "-o", "out.png"] + prompt)
    #expect(run.code == 64)
  }

  @Test func aScribbleThatCannotBeReadIsNamed() async throws {
    let run = try await run(["segment", "photo.png", "--scribble", "text.png", "-o", "out.png"])
    #expect(run.code == 1)
    #expect(run.errors.contains("text.png"))
  }

  @Test func aScribbleWithoutStrokesIsRefused() async throws {
    let black = PixelImage(
      width: 60, height: 40, channels: 1, pixels: [UInt8](repeating: 0, count: 2400))
    try folder.write("black.png", [UInt8](ImageEncoder.encode(black, as: .png)))
    let run = try await run(["segment", "photo.png", "--scribble", "black.png", "-o", "out.png"])
    #expect(run.code == 1)
  }

  @Test(arguments: ["text.png", "missing.safetensors", "folder.png", "empty.png"])
  func aWeightsFileThatIsNoneIsNamed(_ name: String) async throws {
    let run = try await run(
      ["segment", "photo.png", "--point", "5,5", "--weights", name, "-o", "out.png"])
    #expect(run.code == 1)
    #expect(run.errors.contains(name), "\(run.errors)")
  }

  @Test(arguments: ["folder.png", "none/out.png", "photo.png/out.png"])
  func anOutputThatCannotBeWrittenIsNamed(_ name: String) async throws {
    let run = try await run(["segment", "photo.png", "--point", "5,5", "-o", name])
    #expect(run.code == 1)
    #expect(run.errors.contains("cannot write \(name)"), "\(run.errors)")
  }

  @Test(arguments: [(1, 1), (1, 5000), (5000, 1), (2, 3), (17, 4001)])
  func aPictureOfAnyShapeHasAMask(_ width: Int, _ height: Int) async throws {
    let pixels = (0..<(width * height * 3)).map { UInt8(truncatingIfNeeded: $0 * 37) }
    let image = PixelImage(width: width, height: height, channels: 3, pixels: pixels)
    try folder.write("thin.png", [UInt8](ImageEncoder.encode(image, as: .png)))
    for kind in ["mask", "cutout", "overlay"] {
      let run = await CommandRun(
        ["segment", "thin.png", "--point", "50%,50%", "--as", kind, "-o", "\(kind).png"],
        in: folder)
      #expect(run.code == 0, "\(run.errors)")
      let result = try ImageDecoder().decode(Data(folder.bytes("\(kind).png")))
      #expect(result.width == width && result.height == height)
    }
    let run = await CommandRun(
      ["everything", "thin.png", "--points-per-side", "6", "-o", "labels.png"], in: folder)
    #expect(run.code == 0, "\(run.errors)")
  }
}
