import Foundation
import SamSwift
import SamTestSupport
import Testing

struct SamSessionTests {
  let coffee = TestPhotos.url("coffee.png")
  let onTheCup = SamPoint(x: 300, y: 180)
  let cup = SamBox(x0: 180, y0: 30, x1: 430, y1: 260)

  /// A session that shows the cup, for tests that leave its picture alone.
  private static let shared = Result {
    let session = try SamSession()
    try session.setImage(TestPhotos.url("coffee.png"))
    return session
  }

  // MARK: Results

  @Test func aClickGivesItsObject() async throws {
    let session = try Self.shared.get()
    let result = try await session.predict(points: [onTheCup])
    #expect(result.masks.count == 1)
    #expect(result.candidates.count == 3)
    #expect(result.candidates.map(\.score) == result.candidates.map(\.score).sorted(by: >))
    #expect(result.best.score == result.candidates[0].score)
    #expect(result.best.logits == result.candidates[0].logits)
    #expect(result.best.alpha[256, 153, 0] >= 128)
    let box = try #require(result.best.boundingBox)
    #expect(box.x0 < 300 && box.x1 > 300 && box.y0 < 180 && box.y1 > 180)
    #expect((5_000...200_000).contains(result.best.area))
    #expect(result.timings.encodeImage > .zero && result.timings.decodeImage > .zero)
    #expect(result.timings.decodePrompt > .zero && result.timings.renderMask > .zero)
  }

  @Test func multimaskGivesTheThreeReadingsBestFirst() async throws {
    let session = try Self.shared.get()
    let result = try await session.predict(
      points: [onTheCup], options: SamPredictOptions(quality: .fast, multimask: true))
    #expect(result.masks.count == 3)
    #expect(result.masks.map(\.score) == result.candidates.map(\.score))
    #expect(Set(result.masks.map(\.alpha)).count == 3)
  }

  @Test(arguments: [(SamQuality.fast, 128, 86), (.balanced, 512, 341), (.accurate, 600, 400)])
  func measuresAreInPixelsOfThePicture(quality: SamQuality, width: Int, height: Int) async throws {
    let session = try Self.shared.get()
    let mask = try await session.predict(box: cup, options: .init(quality: quality)).best
    #expect(mask.width == width && mask.height == height)
    #expect(mask.imageWidth == 600 && mask.imageHeight == 400)
    let full = try await session.predict(box: cup, options: .init(quality: .balanced)).best
    let (box, fullBox) = (try #require(mask.boundingBox), try #require(full.boundingBox))
    for (edge, fullEdge) in [
      (box.x0, fullBox.x0), (box.y0, fullBox.y0), (box.x1, fullBox.x1), (box.y1, fullBox.y1),
    ] {
      // An accurate mask follows thin parts, such as the saucer's rim, much farther out.
      if quality == .fast { #expect(abs(edge - fullEdge) <= 10) }
      #expect(edge >= 0 && edge <= 600)
    }
    #expect(abs(Double(mask.area) / Double(full.area) - 1) < 0.1)
  }

  /// Many prompts in one batch are answered as if they had been alone.
  @Test func aBatchAnswersEachPromptOnItsOwn() async throws {
    let session = try Self.shared.get()
    let several = [
      SamPoint(x: 300, y: 180), SamPoint(x: 260, y: 120),
      SamPoint(x: 60, y: 60, label: .exclude),
    ]
    let scribble = Scribble(width: 300, height: 200).line(from: (120, 60), to: (180, 60)).image
    let prompts = [
      SamPrompt(points: [onTheCup]), SamPrompt(points: several), SamPrompt(box: cup),
      SamPrompt(points: [onTheCup], box: cup), SamPrompt(scribble: scribble),
    ]
    let batch = try await session.predict(prompts)
    #expect(batch.count == prompts.count)
    for (prompt, result) in zip(prompts, batch) {
      let alone = try await session.predict([prompt])[0]
      #expect(alone.best.alpha == result.best.alpha)
      #expect(alone.best.score == result.best.score)
    }
    #expect(try await session.predict([SamPrompt]()).isEmpty)
  }

  @Test func refiningFeedsTheMaskBack() async throws {
    let session = try Self.shared.get()
    let first = try await session.predict(points: [onTheCup])
    let more = [onTheCup, SamPoint(x: 60, y: 60, label: .exclude)]
    let refined = try await session.predict(points: more, maskInput: first.best.logits)
    #expect(refined.best.logits != first.best.logits)
    #expect(refined.best.alpha[51, 51, 0] < 128)
    // Without the earlier mask the clicks go one after the other, which comes to the same.
    let atOnce = try await session.predict(points: more)
    #expect(atOnce.best.alpha == refined.best.alpha)
  }

  @Test func theSynchronousFormsGiveTheSame() async throws {
    let session = try Self.shared.get()
    let expected = try await session.predict(points: [onTheCup], box: cup).best
    #expect(try Self.predictSynchronously(coffee, onTheCup, cup) == expected.alpha)
  }

  private static func predictSynchronously(
    _ url: URL, _ point: SamPoint, _ box: SamBox
  ) throws -> PixelImage {
    let session = try SamSession()
    try session.setImage(Data(contentsOf: url))
    return try session.predict(points: [point], box: box).best.alpha
  }

  @Test func threadsDoNotChangeTheMask() async throws {
    let one = try SamSession(configuration: SamConfiguration(threads: 1, precision: .float32))
    let two = try SamSession(configuration: SamConfiguration(threads: 2, precision: .float32))
    try await one.setImage(coffee)
    try await two.setImage(coffee)
    let options = SamPredictOptions(quality: .accurate)
    let first = try await one.predict(points: [onTheCup], options: options).best
    let second = try await two.predict(points: [onTheCup], options: options).best
    #expect(first.logits == second.logits)
    #expect(first.alpha == second.alpha)
  }

  @Test func anotherPictureTakesThePlaceOfTheFirst() async throws {
    let session = try SamSession()
    try await session.setImage(coffee)
    #expect(session.image?.width == 600)
    try await session.setImage(TestPhotos.url("chelsea.png"))
    #expect(session.image?.width == 451)
    #expect(try await session.predict(points: [onTheCup]).best.imageWidth == 451)
    // A picture that cannot be read leaves the old one.
    await #expect(throws: SamSwiftError.self) {
      try await session.setImage(URL(fileURLWithPath: "/nowhere.png"))
    }
    #expect(session.image?.width == 451)
  }

  @Test func anObjectIsCutOutOfItsPicture() async throws {
    let session = try Self.shared.get()
    let picture = try #require(session.image)
    let mask = try await session.predict(box: cup).best
    let cut = try mask.extractObject(from: picture)
    #expect(cut.width == 600 && cut.height == 400 && cut.channels == 4)
    #expect(
      Array(cut[300, 180][..<cut[300, 180].startIndex.advanced(by: 3)])
        == Array(picture[300, 180]))
    #expect(cut[300, 180, 3] >= 128)
    #expect(cut[5, 395, 3] < 128)
    let other = PixelImage(width: 30, height: 20, channels: 3, repeating: 0)
    #expect {
      try mask.extractObject(from: other)
    } throws: { error in
      if case SamSwiftError.sizeMismatch = error { true } else { false }
    }
    let second = try await session.predict(points: [SamPoint(x: 60, y: 60)]).best
    let both = try SamMask.extractObject(from: picture, masks: [mask, second])
    for (x, y) in [(300, 180), (60, 60), (500, 300)] {
      let single = try second.extractObject(from: picture)[x, y, 3]
      #expect(both[x, y, 3] == max(cut[x, y, 3], single))
    }
  }

  // MARK: Bad input

  @Test func aPromptBeforeAPictureFails() async throws {
    let session = try SamSession()
    await #expect(throws: SamSwiftError.noImage) {
      try await session.predict(points: [SamPoint(x: 1, y: 1)])
    }
    #expect(session.image == nil && session.embedding == nil)
  }

  static let badPrompts: [(String, SamPrompt)] = [
    ("no point", SamPrompt()),
    ("point outside", SamPrompt(points: [SamPoint(x: 601, y: 10)])),
    ("negative point", SamPrompt(points: [SamPoint(x: 5, y: -1)])),
    ("NaN point", SamPrompt(points: [SamPoint(x: .nan, y: 10)])),
    ("infinite point", SamPrompt(points: [SamPoint(x: 1, y: .infinity)])),
    ("empty box", SamPrompt(box: SamBox(x0: 10, y0: 10, x1: 10, y1: 40))),
    ("box outside", SamPrompt(box: SamBox(x0: 700, y0: 10, x1: 800, y1: 40))),
    ("NaN box", SamPrompt(box: SamBox(x0: .nan, y0: 10, x1: 10, y1: 40))),
    (
      "mask of another size",
      SamPrompt(
        points: [SamPoint(x: 5, y: 5)],
        maskInput: SamLogits(width: 2, height: 2, values: [0, 0, 0, 0]))
    ),
    ("black scribble", SamPrompt(scribble: Scribble(width: 30, height: 20).image)),
    (
      "scribble and box",
      SamPrompt(
        box: SamBox(x0: 0, y0: 0, x1: 50, y1: 50),
        scribble: Scribble(width: 30, height: 20).line(from: (5, 5), to: (9, 9)).image)
    ),
    (
      "300 points", SamPrompt(points: (0..<300).map { SamPoint(x: Double($0), y: 10) })
    ),
  ]

  @Test(arguments: badPrompts.map(\.0))
  func badPromptsAreNamed(name: String) async throws {
    let session = try Self.shared.get()
    let prompt = try #require(Self.badPrompts.first { $0.0 == name }).1
    await #expect {
      try await session.predict([SamPrompt(points: [onTheCup]), prompt])
    } throws: { error in
      if case SamSwiftError.invalidPrompt(let reason) = error { !reason.isEmpty } else { false }
    }
  }

  @Test func cornersOfABoxComeInAnyOrder() async throws {
    let session = try Self.shared.get()
    let swapped = SamBox(x0: cup.x1, y0: cup.y1, x1: cup.x0, y1: cup.y0)
    let first = try await session.predict(box: cup).best.alpha
    let second = try await session.predict(box: swapped).best.alpha
    #expect(first == second)
    // What hangs over the picture's edge is cut off.
    let over = SamBox(x0: -50, y0: -50, x1: 900, y1: 900)
    let whole = SamBox(x0: 0, y0: 0, x1: 600, y1: 400)
    #expect(
      try await session.predict(box: over).best.alpha
        == session.predict(box: whole).best.alpha)
  }

  @Test func modelsThatAreNotThereAreNamed() throws {
    #expect {
      try SamSession(model: .file(URL(fileURLWithPath: "/nowhere/weights.safetensors")))
    } throws: { error in
      guard case SamSwiftError.modelUnavailable(let model, _) = error else { return false }
      return model == "/nowhere/weights.safetensors"
    }
    // A file that is no checkpoint.
    #expect(throws: SamSwiftError.self) { try SamSession(model: .file(coffee)) }
  }

  @Test func aCancelledTaskSaysSo() async throws {
    let session = try Self.shared.get()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await session.predict(points: [SamPoint(x: 300, y: 180)])
    }
    task.cancel()
    await #expect(throws: SamSwiftError.cancelled) { _ = try await task.value }
    #expect(try await session.predict(points: [onTheCup]).masks.count == 1)
  }

  // MARK: Embeddings

  @Test func embeddingsAreSavedAndLoaded() async throws {
    let folder = FileManager.default.temporaryDirectory
    let url = folder.appendingPathComponent("embedding-\(UUID().uuidString).safetensors")
    defer { try? FileManager.default.removeItem(at: url) }
    let first = try Self.shared.get()
    let picture = try #require(first.image)
    try #require(first.embedding).save(to: url)
    let expected = try await first.predict(points: [onTheCup]).best

    let embedding = try SamEmbedding(contentsOf: url)
    #expect(embedding.imageWidth == 600 && embedding.imageHeight == 400)
    let second = try SamSession()
    try second.setEmbedding(embedding, image: picture)
    let actual = try await second.predict(points: [onTheCup]).best
    #expect(actual.alpha == expected.alpha)
    #expect(actual.logits == expected.logits)

    let other = PixelImage(width: 30, height: 20, channels: 3, repeating: 0)
    #expect {
      try second.setEmbedding(embedding, image: other)
    } throws: { error in
      if case SamSwiftError.embeddingMismatch = error { true } else { false }
    }
  }

  @Test func filesThatAreNoEmbeddingAreRefused() throws {
    #expect {
      try SamEmbedding(contentsOf: coffee)
    } throws: { error in
      if case SamSwiftError.embeddingUnusable = error { true } else { false }
    }
    let weights = try TemporaryWeights()
    #expect(throws: SamSwiftError.self) { try SamEmbedding(contentsOf: weights.url) }
  }
}
