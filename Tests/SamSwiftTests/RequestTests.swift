import Foundation
import SamSwift
import SamTestSupport
import Testing

/// The rules of a request, on the bundled model and a real photograph.
struct RequestTests {
  let coffee = TestPhotos.url("coffee.png")
  let onTheCup = NormalizedPoint(x: 0.5, y: 0.55)

  // MARK: Where there is nothing to segment

  @Test func aSeedOutsideTheRegionGivesNothing() async throws {
    let handler = ImageRequestHandler(coffee)
    let elsewhere = NormalizedRect(x: 0, y: 0, width: 0.2, height: 0.2)
    let point = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    point.regionOfInterest = elsewhere
    #expect(try await handler.perform(point) == nil)
    let box = GenerateIterativeSegmentationRequest(
      seedBox: NormalizedRect(x: 0.4, y: 0.4, width: 0.3, height: 0.3))
    box.regionOfInterest = elsewhere
    #expect(try await handler.perform(box) == nil)
    let scribble = GenerateIterativeSegmentationRequest(
      seedScribbleBuffer: try Scribble(width: 60, height: 40).line(from: (25, 15), to: (35, 20))
        .buffer())
    scribble.regionOfInterest = elsewhere
    #expect(try await handler.perform(scribble) == nil)
  }

  @Test(arguments: [
    NormalizedPoint(x: 1.2, y: 0.5), NormalizedPoint(x: 0.5, y: -0.01),
    NormalizedPoint(x: .nan, y: 0.5),
  ])
  func aSeedOffThePictureGivesNothing(point: NormalizedPoint) async throws {
    let request = GenerateIterativeSegmentationRequest(seedPoint: point)
    #expect(try await request.perform(on: coffee) == nil)
  }

  @Test(arguments: [
    NormalizedRect(x: 0.3, y: 0.3, width: 0, height: 0.4),
    NormalizedRect(x: 1.1, y: 0.3, width: 0.2, height: 0.4),
    NormalizedRect(x: .nan, y: 0.3, width: 0.2, height: 0.4),
  ])
  func aBoxAroundNothingGivesNothing(box: NormalizedRect) async throws {
    let request = GenerateIterativeSegmentationRequest(seedBox: box)
    #expect(try await request.perform(on: coffee) == nil)
  }

  @Test func aBlackScribbleGivesNothing() async throws {
    let request = GenerateIterativeSegmentationRequest(
      seedScribbleBuffer: try Scribble(width: 60, height: 40).buffer())
    #expect(try await request.perform(on: coffee) == nil)
  }

  @Test(arguments: [
    NormalizedRect(x: -0.2, y: 0, width: 0.5, height: 0.5),
    NormalizedRect(x: 0.5, y: 0.5, width: 0.6, height: 0.5),
    NormalizedRect(x: 0.5, y: 0.5, width: 0, height: 0.5),
    NormalizedRect(x: .nan, y: 0.5, width: 0.1, height: 0.5),
  ])
  func aRegionThatIsNoPartOfThePictureFails(region: NormalizedRect) async throws {
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    request.regionOfInterest = region
    await #expect {
      try await request.perform(on: coffee)
    } throws: { error in
      if case VisionError.invalidArgument = error { true } else { false }
    }
  }

  // MARK: What comes out

  @Test func theMaskIsBlackOutsideTheRegion() async throws {
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    request.regionOfInterest = NormalizedRect(x: 0.4, y: 0.5, width: 0.2, height: 0.25)
    let mask = try #require(try await request.perform(on: coffee)?.cgImage)
    var inside = 0
    for y in 0..<mask.height {
      for x in 0..<mask.width {
        let (u, v) = ((Double(x) + 0.5) / 512, 1 - (Double(y) + 0.5) / 341)
        let isInRegion = (0.4...0.6).contains(u) && (0.5...0.75).contains(v)
        if !isInRegion { #expect(mask[x, y, 0] == 0) }
        inside += mask[x, y, 0] >= 128 ? 1 : 0
      }
    }
    #expect(inside > 1000)
  }

  /// The same object, pointed at in a picture and in the picture upside down.
  @Test func coordinatesCountFromTheLowerLeft() async throws {
    let rocket = TestPhotos.url("rocket.jpg")
    let point = NormalizedPoint(x: 0.5, y: 0.53)
    let request = GenerateIterativeSegmentationRequest(seedPoint: point)
    let mask = try #require(try await request.perform(on: rocket))
    #expect(mask.pixel(at: point) >= 0.5)
    #expect(mask.pixel(at: point.verticallyFlipped()) < mask.pixel(at: point))
    let size = mask.size
    let pixel = point.toImageCoordinates(size, origin: .upperLeft)
    let image = try mask.cgImage
    #expect(image[Int(pixel.x), Int(pixel.y), 0] >= 128)
  }

  @Test(arguments: [
    (GenerateIterativeSegmentationRequest.QualityLevel.fast, 128, 86), (.balanced, 512, 341),
    (.accurate, 600, 400),
  ])
  func qualityLevelsAreSizes(
    level: GenerateIterativeSegmentationRequest.QualityLevel, width: Int, height: Int
  ) async throws {
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    request.qualityLevel = level
    let mask = try #require(try await request.perform(on: coffee))
    #expect(mask.size == CGSize(width: width, height: height))
    #expect(mask.pixelFormat == kCVPixelFormatType_OneComponent8)
    #expect(mask.originatingRequestDescriptor == request.descriptor)
    #expect(mask.pixel(at: onTheCup) >= 0.5)
  }

  @Test func orientationTurnsThePicture() async throws {
    let request = GenerateIterativeSegmentationRequest(
      seedPoint: NormalizedPoint(x: 0.55, y: 0.5))
    request.qualityLevel = .accurate
    let mask = try #require(try await request.perform(on: coffee, orientation: .right))
    #expect(mask.size == CGSize(width: 400, height: 600))
  }

  @Test func aScribbleTakesEveryObjectItTouches() async throws {
    // Two discs on a plain ground; one stroke each.
    let picture = Self.discs([(60, 60, 30), (190, 100, 35)], width: 256, height: 160)
    let handler = ImageRequestHandler(picture)
    let both = try Scribble(width: 128, height: 80)
      .line(from: (22, 30), to: (38, 30)).line(from: (87, 50), to: (103, 50)).buffer()
    let request = GenerateIterativeSegmentationRequest(seedScribbleBuffer: both)
    let mask = try #require(try await handler.perform(request))
    #expect(mask.pixel(at: NormalizedPoint(x: 60.0 / 256, y: 1 - 60.0 / 160)) >= 0.5)
    #expect(mask.pixel(at: NormalizedPoint(x: 190.0 / 256, y: 1 - 100.0 / 160)) >= 0.5)
    #expect(mask.pixel(at: NormalizedPoint(x: 0.5, y: 0.05)) < 0.5)
  }

  static func discs(
    _ discs: [(x: Int, y: Int, radius: Int)], width: Int, height: Int
  ) -> PixelImage {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let isInside = discs.contains { disc in
          let (dx, dy) = (x - disc.x, y - disc.y)
          return dx * dx + dy * dy <= disc.radius * disc.radius
        }
        pixels += isInside ? [210, 50, 40] : [90, 140, 110]
      }
    }
    return PixelImage(width: width, height: height, channels: 3, pixels: pixels)
  }

  // MARK: Refinement and reuse

  /// Points that were added before the first perform count as those added after it do.
  @Test func pointsBeforeTheFirstPerformWork() async throws {
    let handler = ImageRequestHandler(coffee)
    let more = [NormalizedPoint(x: 0.45, y: 0.7), NormalizedPoint(x: 0.55, y: 0.8)]
    let early = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    for point in more { try early.addIncludedPoint(point) }
    try early.addExcludedPoint(NormalizedPoint(x: 0.1, y: 0.1))
    let late = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    _ = try await handler.perform(late)
    for point in more {
      try late.addIncludedPoint(point)
      _ = try await handler.perform(late)
    }
    try late.addExcludedPoint(NormalizedPoint(x: 0.1, y: 0.1))
    let first = try #require(try await handler.perform(early)?.cgImage)
    let second = try #require(try await handler.perform(late)?.cgImage)
    #expect(first == second)
  }

  @Test func aHandlerEncodesItsPictureOnce() async throws {
    // A file of its own makes a network of its own, whose encoder nobody else runs.
    let weights = try TemporaryWeights()
    let session = try SamSession(model: .file(weights.url))
    let handler = ImageRequestHandler(coffee)
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    request.model = .file(weights.url)
    let before = session.encodeCount
    _ = try await handler.perform(request)
    #expect(session.encodeCount == before + 1)
    try request.addIncludedPoint(NormalizedPoint(x: 0.45, y: 0.7))
    _ = try await handler.perform(request)
    request.qualityLevel = .accurate
    _ = try await handler.perform(request)
    let box = GenerateIterativeSegmentationRequest(
      seedBox: NormalizedRect(x: 0.2, y: 0.3, width: 0.5, height: 0.6))
    box.model = .file(weights.url)
    _ = try await handler.perform(box)
    #expect(session.encodeCount == before + 1)
  }

  @Test func aSessionLendsItsEmbedding() async throws {
    let weights = try TemporaryWeights()
    let session = try SamSession(model: .file(weights.url))
    try await session.setImage(coffee)
    #expect(session.encodeCount == 1)
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    request.model = session.model
    let mask = try await ImageRequestHandler(session).perform(request)
    #expect(session.encodeCount == 1)
    let direct = try await session.predict(points: [SamPoint(x: 300, y: 180)])
    #expect(try mask?.cgImage == direct.best.alpha)
  }

  @Test func concurrentPerformsGiveTheMasksOfASerialRun() async throws {
    let photos = [coffee, TestPhotos.url("chelsea.png")]
    let points = [(0.5, 0.55), (0.4, 0.6), (0.5, 0.5), (0.6, 0.4)].map {
      NormalizedPoint(x: $0, y: $1)
    }
    var serial: [CGImage?] = []
    for photo in photos {
      for point in points {
        let request = GenerateIterativeSegmentationRequest(seedPoint: point)
        serial.append(try await ImageRequestHandler(photo).perform(request)?.cgImage)
      }
    }
    let handlers = photos.map { ImageRequestHandler($0) }
    let concurrent = try await withThrowingTaskGroup(of: (Int, CGImage?).self) { group in
      for index in 0..<8 {
        group.addTask {
          let request = GenerateIterativeSegmentationRequest(seedPoint: points[index % 4])
          return (index, try await handlers[index / 4].perform(request)?.cgImage)
        }
      }
      var masks = [CGImage?](repeating: nil, count: 8)
      for try await (index, mask) in group { masks[index] = mask }
      return masks
    }
    #expect(concurrent == serial)
  }

  // MARK: Failures

  @Test func aCancelledTaskSaysSo() async throws {
    let handler = ImageRequestHandler(coffee)
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    let task = Task {
      // Cancelled before it begins: the outcome does not hang on timing.
      while !Task.isCancelled { await Task.yield() }
      return try await handler.perform(request)
    }
    task.cancel()
    await #expect {
      _ = try await task.value
    } throws: { error in
      if case VisionError.requestCancelled = error { true } else { false }
    }
    // The handler and the request are as good as before.
    #expect(try await handler.perform(request) != nil)
  }

  @Test func cancellingDuringTheWorkEndsIt() async throws {
    let started = AsyncStream<Void>.makeStream()
    let task = Task {
      // One picture after the other, so that the cancellation finds work to stop whenever it comes.
      while true {
        started.continuation.yield()
        let handler = ImageRequestHandler(coffee)
        let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
        _ = try await handler.perform(request)
      }
    }
    for await _ in started.stream { break }
    task.cancel()
    await #expect {
      _ = try await task.value
    } throws: { error in
      if case VisionError.requestCancelled = error { true } else { false }
    }
  }

  @Test(arguments: [
    URL(fileURLWithPath: "/nowhere/at/all.png"), URL(fileURLWithPath: "/"),
  ])
  func aPictureThatCannotBeReadIsNamed(url: URL) async throws {
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    await #expect {
      try await request.perform(on: url)
    } throws: { error in
      if case VisionError.invalidImage(let text) = error { text.contains(url.path) } else { false }
    }
  }

  @Test func bytesThatAreNoPictureAreRefused() async throws {
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    await #expect(throws: VisionError.self) { try await request.perform(on: Data([1, 2, 3])) }
    await #expect(throws: VisionError.self) { try await request.perform(on: Data()) }
  }

  @Test func aModelWithoutWeightsIsNotReady() async throws {
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    request.model = .file(URL(fileURLWithPath: "/nowhere/weights.safetensors"))
    await #expect {
      try await request.perform(on: coffee)
    } throws: { error in
      if case VisionError.dataUnavailable(let text) = error {
        text.contains("/nowhere/weights.safetensors")
      } else {
        false
      }
    }
    #expect(await request.assetStatus != .ready)
  }

  @Test(arguments: [(1, 1), (1, 5000), (5000, 1), (3, 2)])
  func picturesOfAnyShapeWork(width: Int, height: Int) async throws {
    let picture = PixelImage(width: width, height: height, channels: 3, repeating: 100)
    for level in GenerateIterativeSegmentationRequest.QualityLevel.allCases {
      let request = GenerateIterativeSegmentationRequest(
        seedPoint: NormalizedPoint(x: 0.5, y: 0.5))
      request.qualityLevel = level
      // Any mask will do, or none; what counts is that it comes back.
      let mask = try await request.perform(on: picture)
      if level == .accurate, let mask {
        #expect(mask.size == CGSize(width: width, height: height))
      }
    }
  }

  @Test func observationsGoThroughJSON() async throws {
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    request.qualityLevel = .fast
    let mask = try #require(try await request.perform(on: coffee))
    let copy = try JSONDecoder().decode(
      PixelBufferObservation.self, from: JSONEncoder().encode(mask))
    #expect(copy == mask)
    #expect(try copy.cgImage == mask.cgImage)
    #expect(copy.confidence == mask.confidence)
  }
}
