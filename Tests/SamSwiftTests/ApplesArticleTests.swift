import Foundation
import SamSwift
import SamTestSupport
import Testing

/// Runs the code that is shaped like Apple's article on a real photograph.
struct ApplesArticleTests {
  /// The coffee cup, 600×400; the cup's middle is at (300, 180) from the upper left.
  let isolator = ObjectIsolator(imageURL: TestPhotos.url("coffee.png"))
  let size = CGSize(width: 600, height: 400)
  let onTheCup = NormalizedPoint(x: 0.5, y: 0.55)

  @Test func aTapIsolatesTheCup() async throws {
    let buffer = try #require(
      try await isolator.isolate(tap: CGPoint(x: 300, y: 180), in: size))
    buffer.withUnsafeBuffer { buffer in
      #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_OneComponent8)
      #expect(CVPixelBufferGetWidth(buffer) == 512)
      #expect(CVPixelBufferGetHeight(buffer) == 341)
    }
  }

  @Test func aBoxAtAccurateQualityHasThePicturesSize() async throws {
    let selection = CGRect(x: 130, y: 20, width: 300, height: 240)
    let mask = try #require(try await isolator.isolate(selection: selection, in: size))
    #expect(mask.size == size)
    #expect(mask.confidence > 0 && mask.confidence <= 1)
    #expect(isolator.centreIsInside(mask))
    let inside = isolator.insidePixelCount(mask)
    #expect(inside > 10_000 && inside < 150_000)
  }

  @Test func strokesIsolateWhatTheyTouch() async throws {
    let mask = try await isolator.isolate(strokes: makeStrokes())
    #expect(try #require(mask).size == CGSize(width: 128, height: 86))
  }

  private func makeStrokes() throws -> sending CVPixelBuffer {
    var created: CVPixelBuffer?
    let code = CVPixelBufferCreate(
      kCFAllocatorDefault, 300, 200, kCVPixelFormatType_32BGRA, nil, &created)
    guard code == kCVReturnSuccess, let buffer = created else {
      throw VisionError.pixelBufferCreationFailed(code)
    }
    CVPixelBufferLockBaseAddress(buffer, [])
    let row = CVPixelBufferGetBytesPerRow(buffer)
    if let base = CVPixelBufferGetBaseAddress(buffer) {
      for y in 60..<66 {
        for x in 4 * 110..<4 * 190 {
          base.storeBytes(of: 255, toByteOffset: y * row + x, as: UInt8.self)
        }
      }
    }
    CVPixelBufferUnlockBaseAddress(buffer, [])
    created = nil
    return buffer
  }

  @Test func pointsRefineARequest() async throws {
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    let first = try #require(try await isolator.handler.perform(request))
    let refined = try #require(
      try await isolator.refine(
        request, include: [NormalizedPoint(x: 0.45, y: 0.7)],
        exclude: [NormalizedPoint(x: 0.2, y: 0.2)]))
    #expect(refined != first)
    #expect(refined.pixel(at: NormalizedPoint(x: 0.2, y: 0.2)) < 0.5)
  }

  @Test func severalRequestsShareAHandler() async throws {
    let point = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    let box = GenerateIterativeSegmentationRequest(
      seedBox: NormalizedRect(x: 0.2, y: 0.3, width: 0.5, height: 0.6))
    let (first, second) = try await isolator.isolateBoth(point, box)
    #expect(first != nil && second != nil)
    #expect(await isolator.isolateAll([point, box]) == 2)
  }

  @Test func assetsOfTheDefaultModelAreAlwaysThere() async throws {
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    try await isolator.prepare(request)
    #expect(try await isolator.downloadModel(for: request) == 1)
  }

  @Test func requestsPerformThemselvesOnPictures() async throws {
    let url = TestPhotos.url("coffee.png")
    let request = GenerateIterativeSegmentationRequest(seedPoint: onTheCup)
    let fromFile = try #require(try await request.perform(on: url))
    let fromData = try #require(
      try await request.perform(on: Data(contentsOf: url), orientation: .up))
    #expect(try fromFile.cgImage == fromData.cgImage)
  }
}
