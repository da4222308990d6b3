import SamModel
import Testing

/// Prompts that cannot be used are refused with their numbers; the rest give finite masks.
struct PromptTests {
  private static let width = 90
  private static let height = 60

  static let refused: [(Prompt, String)] = [
    (Prompt(), "wanted a point, a box or a previous mask, got none"),
    (
      Prompt(points: [point(1, 2), point(.nan, 4)]),
      "point 2 is at (nan, 4.0), wanted finite coordinates"
    ),
    (
      Prompt(points: [point(1, -.infinity)]),
      "point 1 is at (1.0, -inf), wanted finite coordinates"
    ),
    (
      Prompt(points: [point(1, 2)], strokes: [point(3, .nan)]),
      "stroke point 1 is at (3.0, nan), wanted finite coordinates"
    ),
    // Finite in the picture, but not in the larger frame.
    (
      Prompt(points: [point(3e38, 4)]),
      "point 1 is at (3e+38, 4.0), wanted finite coordinates"
    ),
    (
      Prompt(box: Prompt.Box(x0: 1, y0: 2, x1: .infinity, y1: 4)),
      "the box is (1.0, 2.0) to (inf, 4.0), wanted finite coordinates"
    ),
    (
      Prompt(points: [Prompt.Point](repeating: point(1, 2), count: 257)),
      "wanted at most 256 points, got 257"
    ),
  ]

  @Test(arguments: ["tiny", "lite"], refused)
  func aPromptThatCannotBeUsedIsRefused(model: String, refused: (Prompt, String)) throws {
    try expectRefused(model, refused.0, refused.1)
  }

  @Test(arguments: ["tiny", "lite"])
  func aPreviousMaskOfAnotherSizeIsRefused(model: String) throws {
    let grid = try Self.encoded(model).embedding.geometry
    let (width, height) = (grid.gridWidth, grid.gridHeight)
    for (w, h, count) in [
      (height + 1, width, width * (height + 1)), (1, 1, 1), (width, height, width * height - 1),
      (width, height, 0), (-width, -height, width * height),
    ] {
      let previous = LogitGrid(
        width: w, height: h, values: [Float](repeating: 0, count: count))
      try expectRefused(
        model, Prompt(points: [Self.point(1, 2)], previous: previous),
        "wanted previous logits of \(width) × \(height), got \(w) × \(h) with \(count) values")
    }
  }

  @Test(arguments: ["tiny", "lite"])
  func oneBadPromptRefusesTheBatch(model: String) throws {
    let (network, embedding) = try Self.encoded(model)
    #expect(throws: ModelError.self) {
      try network.decode(
        embedding, prompts: [Prompt(points: [Self.point(1, 2)]), Prompt()])
    }
  }

  static let usable: [Prompt] = [
    Prompt(points: [point(-1e6, 1e30)]),
    Prompt(points: [point(0, 0, false)]),
    Prompt(box: Prompt.Box(x0: 10, y0: 10, x1: 10, y1: 10)),
    Prompt(box: Prompt.Box(x0: -500, y0: -500, x1: 5000, y1: 5000)),
    Prompt(points: (0..<256).map { point(Float($0 % 90), Float($0 % 60), $0 % 3 > 0) }),
    Prompt(points: [point(40, 30)], strokes: [point(41, 31), point(1e30, -3)]),
  ]

  @Test(arguments: ["tiny", "lite"], usable)
  func anythingElseGivesFiniteMasks(model: String, prompt: Prompt) throws {
    let (network, embedding) = try Self.encoded(model)
    let masks = try network.decode(embedding, prompts: [prompt])[0]
    #expect(masks.grids.allSatisfy { $0.values.allSatisfy { $0.isFinite } })
    #expect(masks.scores.allSatisfy { $0.isFinite })
  }

  @Test(arguments: ["tiny", "lite"])
  func previousLogitsAreClampedAndNeedNoClick(model: String) throws {
    let (network, embedding) = try Self.encoded(model)
    func answer(_ value: Float) throws -> [LogitGrid] {
      let (width, height) = (embedding.geometry.gridWidth, embedding.geometry.gridHeight)
      let values = (0..<width * height).map { $0 % 7 < 3 ? value : -value }
      let grid = LogitGrid(width: width, height: height, values: values)
      return try network.decode(embedding, prompts: [Prompt(previous: grid)])[0].grids
    }
    #expect(try answer(1e20) == answer(32))
    #expect(try answer(.infinity) == answer(32))
    #expect(try answer(5) != answer(32))
    let spoiled = try answer(.nan)
    #expect(spoiled.allSatisfy { $0.values.allSatisfy { $0.isFinite } })
  }

  @Test(arguments: ["tiny", "lite"])
  func aBoxsCornersMayComeInAnyOrder(model: String) throws {
    let (network, embedding) = try Self.encoded(model)
    let boxes = [(10, 20, 70, 50), (70, 50, 10, 20), (10, 50, 70, 20), (70, 20, 10, 50)]
    let masks = try network.decode(
      embedding,
      prompts: boxes.map {
        Prompt(
          box: Prompt.Box(x0: Float($0.0), y0: Float($0.1), x1: Float($0.2), y1: Float($0.3)))
      })
    for other in masks.dropFirst() { #expect(other.grids == masks[0].grids) }
  }

  @Test(arguments: ["tiny", "lite"])
  func includingAndExcludingDiffer(model: String) throws {
    let (network, embedding) = try Self.encoded(model)
    let masks = try network.decode(
      embedding,
      prompts: [true, false].map { Prompt(points: [Self.point(40, 30), Self.point(50, 20, $0)]) })
    #expect(masks[0].grids != masks[1].grids)
  }

  @Test func strokesCountForLiteAndNotForMobileSAM() throws {
    for (model, counts) in [("lite", true), ("tiny", false)] {
      let (network, embedding) = try Self.encoded(model)
      let plain = Prompt(points: [Self.point(40, 30)])
      let stroked = Prompt(points: plain.points, strokes: [Self.point(60, 40)])
      let masks = try network.decode(embedding, prompts: [plain, stroked])
      #expect((masks[0].grids != masks[1].grids) == counts, "\(model)")
    }
  }

  // MARK: Helpers

  private static func point(_ x: Float, _ y: Float, _ isIncluded: Bool = true) -> Prompt.Point {
    Prompt.Point(x: x, y: y, isIncluded: isIncluded)
  }

  private static func encoded(
    _ model: String
  ) throws -> (network: SegmentationNetwork, embedding: ImageEmbedding) {
    let network = try model == "lite" ? TestNetworks.lite() : TestNetworks.tiny()
    return (network, try network.encode(drawnPicture(width: width, height: height)))
  }

  private func expectRefused(_ model: String, _ prompt: Prompt, _ reason: String) throws {
    let (network, embedding) = try Self.encoded(model)
    #expect(throws: ModelError.badPrompt(reason: reason)) {
      try network.decode(embedding, prompts: [prompt])
    }
  }
}
