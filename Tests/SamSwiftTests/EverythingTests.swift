import Foundation
import SamSwift
import SamTestSupport
import Synchronization
import Testing

struct EverythingTests {
  /// A session that shows the cup, for tests that leave its picture alone.
  private static let shared = Result {
    let session = try SamSession(
      configuration: SamConfiguration(precision: .float32))
    try session.setImage(TestPhotos.url("coffee.png"))
    return session
  }

  /// A coarse grid with loose filters: many masks in little time.
  private static let loose = SamEverythingOptions(
    pointsPerSide: 6, scoreThreshold: 0.3, stabilityThreshold: 0.2)

  private static func find(_ options: SamEverythingOptions) async throws -> SamSegments {
    try await shared.get().segmentEverything(options: options)
  }

  // MARK: What is found

  @Test func segmentsAgreeWithTheirMasks() async throws {
    let result = try await Self.find(Self.loose)
    #expect((3...108).contains(result.segments.count))
    #expect(result.imageWidth == 600 && result.imageHeight == 400)
    #expect(result.timings.decodePrompt > .zero && result.timings.renderMask > .zero)
    for segment in result.segments {
      #expect(segment.runs.width == 600 && segment.runs.height == 400)
      #expect(segment.area == segment.runs.area)
      let box = segment.box
      #expect([box.x0, box.y0, box.width, box.height].map { Int($0) } == segment.runs.box)
      #expect(segment.score > 0.3 && segment.stability >= 0.2 && segment.stability <= 1)
      #expect(segment.crop == SamBox(x0: 0, y0: 0, x1: 600, y1: 400))
      #expect(segment.point.label == .include)
    }
    let scores = result.segments.map(\.score)
    #expect(scores == scores.sorted(by: >))
  }

  @Test func aMaskIsThatOfItsClick() async throws {
    let session = try Self.shared.get()
    let result = try await Self.find(Self.loose)
    for segment in result.segments.prefix(3) {
      let readings = try await session.predict(
        points: [segment.point], options: SamPredictOptions(quality: .fast, multimask: true))
      let reading = try #require(readings.masks.first { $0.score == segment.score })
      // The decoder's grid has some ten cells to the hundred pixels; the areas are alike.
      #expect(abs(Double(reading.area) / Double(segment.area) - 1) < 0.05)
    }
  }

  @Test func noTwoBoxesOverlapMoreThanTheLimit() async throws {
    var options = Self.loose
    options.boxOverlapLimit = 0.4
    let boxes = try await Self.find(options).segments.map(\.box)
    #expect(boxes.count > 1)
    for (index, a) in boxes.enumerated() {
      for b in boxes[..<index] {
        let width = max(0, min(a.x1, b.x1) - max(a.x0, b.x0) - 1)
        let height = max(0, min(a.y1, b.y1) - max(a.y0, b.y0) - 1)
        let areas = (a.width - 1) * (a.height - 1) + (b.width - 1) * (b.height - 1)
        #expect(width * height / (areas - width * height) <= 0.4001)
      }
    }
  }

  @Test func withoutFiltersEveryMaskStays() async throws {
    let options = SamEverythingOptions(
      pointsPerSide: 3, scoreThreshold: 0, stabilityThreshold: 0, boxOverlapLimit: 1)
    let result = try await Self.find(options)
    #expect(result.segments.count == 27)
    #expect(result.segments.allSatisfy { $0.stability.isFinite })
  }

  @Test func nothingFoundIsNoError() async throws {
    let result = try await Self.find(
      SamEverythingOptions(pointsPerSide: 2, scoreThreshold: 2))
    #expect(result.segments.isEmpty)
    #expect(result.labels().allSatisfy { $0 == 0 })
    #expect(try result.recordsJSON() == "[]\n")
  }

  @Test func batchesAndThreadsDoNotChangeTheMasks() async throws {
    let expected = try await Self.find(Self.loose).segments
    var options = Self.loose
    options.pointsPerBatch = 5
    #expect(try await Self.find(options).segments == expected)
    let session = try SamSession(
      configuration: SamConfiguration(threads: 1, precision: .float32))
    try await session.setImage(TestPhotos.url("coffee.png"))
    #expect(try await session.segmentEverything(options: Self.loose).segments == expected)
  }

  @Test func theSynchronousFormGivesTheSame() async throws {
    let expected = try await Self.find(Self.loose).segments
    func synchronously() throws -> [SamSegment] {
      try Self.shared.get().segmentEverything(options: Self.loose).segments
    }
    #expect(try synchronously() == expected)
  }

  // MARK: Crops and clean-up

  @Test func cropsAreEncodedAndTheirMasksLieInThem() async throws {
    var options = Self.loose
    options.pointsPerSide = 4
    options.cropLayers = 1
    let session = try Self.shared.get()
    let before = session.encodeCount
    let result = try await Self.find(options)
    #expect(session.encodeCount - before >= 4)
    let fromCrops = result.segments.filter { $0.crop.width < 600 }
    #expect(!fromCrops.isEmpty)
    for segment in fromCrops {
      #expect(segment.box.x0 >= segment.crop.x0 && segment.box.x1 <= segment.crop.x1)
      #expect(segment.box.y0 >= segment.crop.y0 && segment.box.y1 <= segment.crop.y1)
      // What a crop cuts off within the picture is left to another crop.
      #expect(segment.crop.x1 == 600 || segment.crop.x1 - segment.box.x1 >= 19)
      #expect(segment.crop.x0 == 0 || segment.box.x0 - segment.crop.x0 > 20)
    }
    // Masks of smaller crops come first, whatever their score.
    let sizes = result.segments.map { $0.crop.width * $0.crop.height }
    #expect(sizes == sizes.sorted())
  }

  @Test func cleanUpLeavesNoSmallRegion() async throws {
    var options = Self.loose
    options.minimumRegionArea = 300
    let segments = try await Self.find(options).segments
    #expect(!segments.isEmpty)
    for segment in segments {
      #expect(segment.area == segment.runs.area)
      #expect(segment.runs.withoutSmallRegions(below: 300) == nil)
    }
  }

  // MARK: Progress and cancellation

  @Test func progressGrowsToTheEnd() async throws {
    let seen = Mutex<[SamEverythingProgress]>([])
    var options = Self.loose
    options.pointsPerBatch = 10
    _ = try await Self.shared.get().segmentEverything(options: options) { state in
      seen.withLock { $0.append(state) }
    }
    let states = seen.withLock { $0 }
    #expect(states.map(\.points) == [0, 10, 20, 30, 36])
    #expect(states.allSatisfy { $0.totalPoints == 36 })
    #expect(states.map(\.found) == states.map(\.found).sorted())
    #expect(states.first?.fraction == 0 && states.last?.fraction == 1)
  }

  @Test func aCancelledTaskStops() async throws {
    let session = try Self.shared.get()
    var options = Self.loose
    options.pointsPerSide = 200
    options.pointsPerBatch = 1
    let started = AsyncStream<Void>.makeStream()
    let task = Task { [options] in
      try await session.segmentEverything(options: options) { state in
        if state.points == 1 { started.continuation.yield() }
      }
    }
    for await _ in started.stream { break }
    task.cancel()
    await #expect(throws: SamSwiftError.cancelled) { try await task.value }
  }

  // MARK: Errors

  @Test func wantsAPicture() async throws {
    let session = try SamSession()
    await #expect(throws: SamSwiftError.noImage) { try await session.segmentEverything() }
  }

  static let refused: [SamEverythingOptions] = [
    SamEverythingOptions(pointsPerSide: 0), SamEverythingOptions(pointsPerSide: 257),
    SamEverythingOptions(pointsPerBatch: 0), SamEverythingOptions(scoreThreshold: .nan),
    SamEverythingOptions(stabilityThreshold: .infinity), SamEverythingOptions(stabilityOffset: -1),
    SamEverythingOptions(boxOverlapLimit: .nan), SamEverythingOptions(cropLayers: 5),
    SamEverythingOptions(cropOverlapLimit: .nan), SamEverythingOptions(cropOverlapRatio: 1),
    SamEverythingOptions(cropPointsDownscale: 0), SamEverythingOptions(minimumRegionArea: -1),
  ]

  @Test(arguments: refused) func refusesOptionsOutOfRange(_ options: SamEverythingOptions) async {
    await #expect {
      try await Self.shared.get().segmentEverything(options: options)
    } throws: { error in
      if case SamSwiftError.invalidOptions = error { true } else { false }
    }
  }
}
