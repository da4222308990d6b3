import Foundation
import SamCommandLine
import SamSwift
import SamTestSupport
import Testing

/// `samswift lift` and `segment --format`, the whole way from words to files.
struct LiftCommandTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    for name in ["coffee.png", "chelsea.png"] {
      try FileManager.default.copyItem(
        at: TestPhotos.url(name), to: URL(fileURLWithPath: folder.path(name)))
    }
  }

  private func picture(_ name: String) throws -> PixelImage {
    try ImageDecoder().decode(Data(folder.bytes(name)))
  }

  private func run(_ words: String...) async throws -> CommandRun {
    await CommandRun(words, in: folder)
  }

  @Test func theCupIsLiftedUnderANameOfItsOwn() async throws {
    let run = try await run("lift", "coffee.png", "--point", "300,180")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.text == "coffee-lift.png\n")
    let cup = try picture("coffee-lift.png")
    #expect(cup.channels == 4 && cup.width == 600 && cup.height == 400)
    #expect(cup[300, 180, 3] == 255 && cup[20, 20, 3] == 0)
  }

  @Test func aTrimmedResultIsSmallerAndPaddedOnEverySide() async throws {
    for padding in ["0", "15"] {
      let run = try await run(
        "lift", "coffee.png", "--point", "300,180", "--trim", "--padding", padding, "-o",
        "cup\(padding).png")
      #expect(run.code == 0, "\(run.errors)")
    }
    let (small, large) = (try picture("cup0.png"), try picture("cup15.png"))
    #expect(small.width < 600 && small.height < 400)
    #expect(large.width == small.width + 30 && large.height == small.height + 30)
  }

  @Test func effectsKeepTheBackground() async throws {
    let run = try await run(
      "lift", "coffee.png", "--point", "300,180", "--effect", "highlight:brightness=0.5,glow",
      "-o", "cup.jpg")
    #expect(run.code == 0, "\(run.errors)")
    let before = try picture("coffee.png")
    let after = try picture("cup.jpg")
    #expect(after.width == 600 && after.channels == 3)
    #expect(abs(Int(after[590, 20, 0]) - Int(before[590, 20, 0]) / 2) < 12)
  }

  @Test(arguments: ["#204060", "coffee.png"])
  func theBackgroundIsAColourOrAPicture(_ background: String) async throws {
    let run = try await run(
      "lift", "chelsea.png", "--point", "220,130", "--background", background, "-o", "cat.png")
    #expect(run.code == 0, "\(run.errors)")
    let cat = try picture("cat.png")
    #expect(cat.channels == 3)
    if background == "#204060" { #expect(Array(cat[440, 5]) == [0x20, 0x40, 0x60]) }
  }

  @Test func aShimmerIsAnAnimatedPNG() async throws {
    let run = try await run(
      "lift", "coffee.png", "--point", "300,180", "--effect", "shimmer:frames=3", "-o", "cup.png")
    #expect(run.code == 0, "\(run.errors)")
    let text = String(decoding: try folder.bytes("cup.png").prefix(60), as: UTF8.self)
    #expect(text.contains("acTL"))
    #expect(try picture("cup.png").width == 600)
  }

  @Test func eachPointIsAnObject() async throws {
    let points = ["--point", "300,180", "--point", "60,60"]
    let one = await CommandRun(
      ["lift", "coffee.png"] + points.prefix(2) + ["-o", "one.png"], in: folder)
    let each = await CommandRun(
      ["lift", "coffee.png", "--each"] + points + ["-o", "each.png"], in: folder)
    #expect(one.code == 0 && each.code == 0, "\(one.errors)\(each.errors)")
    let cup = try picture("one.png")
    let both = try picture("each.png")
    #expect(both.channels == 3 || both[60, 60, 3] > 200)
    #expect(cup[60, 60, 3] < 50)
  }

  @Test func standardOutputTakesTheResult() async throws {
    let run = try await run("lift", "coffee.png", "--point", "300,180", "-o", "-")
    #expect(run.code == 0, "\(run.errors)")
    #expect(try ImageDecoder().decode(Data(run.output)).width == 600)
  }

  @Test func verboseNamesEveryStep() async throws {
    let run = try await run("lift", "coffee.png", "--point", "300,180", "-v")
    let steps = run.errors.split(separator: "\n").map { line in
      line.prefix(while: { !$0.isNumber }).trimmingCharacters(in: .whitespaces)
    }
    #expect(steps == ["load", "decode image", "encode", "segment", "lift", "write", "total"])
  }

  @Test(arguments: [
    (["--effect", "glov"], "did you mean glow?"),
    (["--effect", "xyz"], "the effects are highlight"),
    (["--effect", "glow:"], "settings are written glow:KEY=VALUE"),
    (["--effect", "glow:colour=red"], "glow has no setting colour"),
    (["--effect", "glow:color=reddish"], "color must be a colour"),
    (["--effect", "glow:width=1:width=2"], "width is given twice"),
    (["--effect", "blur:radius=far"], "radius must be a number"),
    (["--effect", "shimmer,shimmer"], "there is one shimmer at most"),
    (["--effect", ""], "--effect needs a value"), (["--effect", "glow,"], "the effects are"),
    (["--padding", "-1"], "a whole number from 0 to 10000"),
    (["-o", "cup.jpg"], "JPEG knows no transparency"),
    (["--effect", "shimmer", "-o", "cup.jpg"], "a JPEG does not move"),
    (["-o", "cup.webp"], ".webp is neither"),
    (["--each", "--exclude", "1,1"], "--each goes with --point alone"),
    (["--smooth", "-3"], "a number from 0"), (["--min-area", "few"], "a whole number from 0"),
  ])
  func wrongUsageSaysHowToPutItRight(_ words: [String], _ message: String) async throws {
    let run = await CommandRun(["lift", "a.png", "--point", "1,1"] + words, in: folder)
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test(arguments: [
    (["--background", "nowhere.png"], 64, "there is no such file"),
    (["--effect", "highlight:brightness=7"], 64, "brightness '7.0' is not right"),
    (["--effect", "shimmer:frames=1"], 64, "frames '1' is not right"),
    (["--background", "broken.png"], 1, "broken.png"),
  ])
  func whatTurnsOutToBeWrongIsNamed(
    _ words: [String], _ code: Int, _ message: String
  ) async throws {
    try folder.write("broken.png", [1, 2, 3])
    let run = await CommandRun(
      ["lift", "coffee.png", "--point", "300,180", "-o", "out.png"] + words, in: folder)
    #expect(Int(run.code) == code)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(try !folder.names().contains("out.png"))
  }

  @Test func aKeptClickNeedsAPoint() async throws {
    let run = try await run("lift", "coffee.png", "--box", "1,1,90,90", "--keep-clicked")
    #expect(run.code == 64)
    #expect(run.errors.contains("--keep-clicked needs a click"))
  }
}
