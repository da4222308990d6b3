import Foundation
import SamSwift
import SamTestSupport
import Testing

/// Many tasks at one session or handler, in each other's way.
struct CrowdTests {
  private let wide = PixelImage(width: 90, height: 40, channels: 3, repeating: 200)
  private let tall = PixelImage(width: 40, height: 90, channels: 3, repeating: 60)

  @Test func aPictureThatChangesMeanwhileGivesMasksOfOneOrTheOther() async throws {
    let session = try SamSession()
    try await session.setImage(wide)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          for turn in 0..<4 {
            if task % 4 == 0 { try await session.setImage(turn % 2 == 0 ? tall : wide) }
            let mask = try await session.predict(
              points: [SamPoint(x: 20, y: 20)], options: .init(quality: .accurate)
            ).best
            #expect(mask.width == mask.imageWidth && mask.height == mask.imageHeight)
            #expect([wide.width, tall.width].contains(mask.width))
            #expect(mask.width + mask.height == 130)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func tasksThatAreCancelledAtAnyTimeDoNotSpoilTheOthers() async throws {
    let session = try SamSession()
    try await session.setImage(TestPhotos.url("coffee.png"))
    let point = [SamPoint(x: 300, y: 180)]
    let alone = try await session.predict(points: point).best.alpha
    let tasks = (0..<60).map { _ in
      Task { try await session.predict(points: point).best.alpha }
    }
    for task in tasks.enumerated() where task.offset % 3 != 0 { task.element.cancel() }
    for (index, task) in tasks.enumerated() {
      switch await task.result {
      case .success(let alpha): #expect(alpha == alone)
      case .failure(let error):
        #expect(error as? SamSwiftError == .cancelled)
        #expect(index % 3 != 0, "nobody cancelled this one")
      }
    }
  }

  @Test(arguments: [0, -1, 1, 3, 1000, Int.max])
  func anyThreadCountGivesTheSameMask(_ threads: Int) throws {
    func mask(_ threads: Int?) throws -> PixelImage {
      let session = try SamSession(
        configuration: SamConfiguration(threads: threads, precision: .float32))
      try session.setImage(wide)
      return try session.predict(
        points: [SamPoint(x: 20, y: 20)], options: .init(quality: .accurate)
      ).best.alpha
    }
    #expect(try mask(threads) == mask(2))
  }

  @Test func tooManyClicksAreRefusedBeforeTheFirstDecode() async throws {
    let session = try SamSession()
    try await session.setImage(wide)
    let clicks = (0..<300).map { SamPoint(x: Double($0 % 90), y: Double($0 % 40)) }
    // Clicks taken one by one would get as far as the 257th.
    await #expect(
      throws: SamSwiftError.invalidPrompt(reason: "wanted at most 256 points, got 300")
    ) { try await session.predict(points: clicks) }
    let options = SamPredictOptions(quality: .fast)
    let prompts = clicks.prefix(100).map { SamPrompt(points: [$0]) }
    #expect(try await session.predict(prompts, options: options).count == 100)
    #expect(try await session.predict([], options: options).isEmpty)
  }

  @Test func aBrokenPictureFailsEveryRequestAndNoOtherHandler() async throws {
    let photo = try Data(contentsOf: TestPhotos.url("coffee.png"))
    let broken = ImageRequestHandler(photo.prefix(photo.count / 2))
    let whole = ImageRequestHandler(photo)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          let request = GenerateIterativeSegmentationRequest(
            seedPoint: NormalizedPoint(x: 0.5, y: 0.55))
          if index % 2 == 0 {
            await #expect(throws: VisionError.self) { try await broken.perform(request) }
          }
          // The request is as good as before on a picture that can be read.
          #expect(await (try? whole.perform(request)) != nil)
        }
      }
    }
  }
}
