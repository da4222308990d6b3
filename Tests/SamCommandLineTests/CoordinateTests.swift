import SamCommandLine
import SamSwift
import Testing

struct CoordinateTests {
  @Test(arguments: [
    ("120,80", Coordinate.pixels(120), Coordinate.pixels(80)),
    ("120.5, 80", .pixels(120.5), .pixels(80)),
    ("50%,40%", .percent(50), .percent(40)),
    ("12.5%,7", .percent(12.5), .pixels(7)),
    ("-5,3", .pixels(-5), .pixels(3)),
    ("1e2,0", .pixels(100), .pixels(0)),
  ])
  func readsAPoint(_ text: String, _ x: Coordinate, _ y: Coordinate) throws {
    let point = try ValueReader<CoordinatePair>.point(text, of: "--point")
    #expect(point == CoordinatePair(x: x, y: y))
  }

  @Test(arguments: [
    "", ",", "1", "1,", ",1", "1,2,3", "nan,1", "1,inf", "1;2", "0x10,1", "%,1", "1%%,1", "1 2,3",
    "infinity,0", "1,2%x",
  ])
  func refusesWhatIsNoPoint(_ text: String) {
    #expect(throws: UsageError.self) {
      try ValueReader<CoordinatePair>.point(text, of: "--point")
    }
  }

  private func resolve(
    _ words: [String], width: Int = 200, height: Int = 100
  ) throws -> SamPrompt {
    let specification = CommandSpecification(
      name: "x", summary: "X.", options: [PromptOptions.group])
    let options = try PromptOptions(ArgumentParser(specification).parse(words))
    return try options.resolved(width: width, height: height, picture: "p.png", scribble: nil)
  }

  @Test func percentagesAreOfThePicture() throws {
    let prompt = try resolve(["--point", "50%,25%", "--exclude", "100%,0%"])
    #expect(
      prompt.points == [SamPoint(x: 100, y: 25), SamPoint(x: 200, y: 0, label: .exclude)])
  }

  @Test func pointsKeepTheirOrder() throws {
    let prompt = try resolve(["--exclude", "1,1", "--point", "2,2", "--exclude", "3,3"])
    #expect(prompt.points.map(\.x) == [1, 2, 3])
    #expect(prompt.points.map(\.label) == [.exclude, .include, .exclude])
  }

  @Test(arguments: ["20,10,120,60", "120,60,20,10", "20,60,120,10", "10%,10%,60%,60%"])
  func aBoxTakesItsCornersInAnyOrder(_ text: String) throws {
    #expect(try resolve(["--box", text]).box == SamBox(x0: 20, y0: 10, x1: 120, y1: 60))
  }

  @Test func aBoxIsClippedToThePicture() throws {
    #expect(
      try resolve(["--box", "-10,-10,500,500"]).box == SamBox(x0: 0, y0: 0, x1: 200, y1: 100))
  }

  @Test(arguments: [
    (["--point", "201,5"], "--point 201,5 lies outside the picture: p.png is 200 × 100 pixels"),
    (["--point", "-1,5"], "--point -1,5 lies outside the picture: p.png is 200 × 100 pixels"),
    (
      ["--point", "5,5", "--exclude", "5,101%"],
      "--exclude 5,101% lies outside the picture: p.png is 200 × 100 pixels"
    ),
    (
      ["--box", "300,5,400,50"],
      "--box 300,5,400,50 lies outside the picture: p.png is 200 × 100 pixels"
    ),
    (
      ["--box", "5,5,5,50"],
      "--box 5,5,5,50 has no area. Give two corners that differ in both numbers"
    ),
    (
      ["--exclude", "5,5"],
      "nothing says what to segment. Add --point X,Y or --box X0,Y0,X1,Y1 or --scribble FILE"
    ),
    (
      Array(repeating: ["--point", "5,5"], count: 14).flatMap { $0 },
      "14 points are too many. At most 13 points can be given"
    ),
    (
      ["--box", "1,1,9,9"] + Array(repeating: ["--point", "5,5"], count: 12).flatMap { $0 },
      "12 points are too many. At most 11 points beside a box can be given"
    ),
  ])
  func saysWhatIsWrong(_ words: [String], _ message: String) {
    #expect(throws: UsageError.conflict(message)) { try resolve(words) }
  }

  @Test func takesAsManyPointsAsVisionDoes() throws {
    let points = { (count: Int) in (0..<count).flatMap { ["--point", "\($0),5"] } }
    #expect(try resolve(points(13)).points.count == 13)
    #expect(try resolve(points(11) + ["--box", "1,1,9,9"]).points.count == 11)
  }
}
