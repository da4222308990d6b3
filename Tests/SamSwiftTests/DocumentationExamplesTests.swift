import Foundation
import SamSwift
import SamTestSupport
import Testing

/// The examples of the documentation catalogue and the README, as they stand there.
struct DocumentationExamplesTests {
  private let coffee = TestPhotos.url("coffee.png")

  @Test func gettingStartedWithASession() async throws {
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("cup-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: output) }

    let session = try SamSession()
    try await session.setImage(coffee)

    let first = try await session.predict(points: [SamPoint(x: 300, y: 180)])
    #expect(first.best.boundingBox != nil)

    let points = [SamPoint(x: 300, y: 180), SamPoint(x: 200, y: 300, label: .exclude)]
    let refined = try await session.predict(
      points: points, maskInput: first.best.logits, options: SamPredictOptions(quality: .accurate))

    if let picture = session.image {
      let cup = try refined.best.extractObject(from: picture)
      try ImageEncoder.write(cup, to: output)
    }
    let written = try ImageDecoder().decode(contentsOf: output)
    #expect(written.width == 600 && written.channels == 4)
    #expect(written[200, 300, 3] < 128 && written[300, 180, 3] >= 128)
  }

  @Test func gettingStartedWithVision() async throws {
    let handler = ImageRequestHandler(coffee)
    let request = GenerateIterativeSegmentationRequest(seedPoint: NormalizedPoint(x: 0.5, y: 0.55))
    let observation = try await handler.perform(request)
    #expect(observation != nil)

    try request.addExcludedPoint(NormalizedPoint(x: 0.33, y: 0.25))
    request.qualityLevel = .accurate
    let refined = try #require(try await handler.perform(request))
    #expect(refined.pixel(at: NormalizedPoint(x: 0.33, y: 0.25)) < 0.5)
  }

  @Test func coordinates() {
    let size = CGSize(width: 600, height: 400)
    let point = NormalizedPoint(x: 0.5, y: 0.55)
    let pixel = point.toImageCoordinates(size, origin: .upperLeft)
    #expect(abs(pixel.x - 300) < 1e-9 && abs(pixel.y - 180) < 1e-9)
    #expect(abs(point.verticallyFlipped().y - 0.45) < 1e-12)
  }
}
