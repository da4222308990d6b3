import SamSwift
import Testing

struct RequestPointLimitTests {
  static let seeds = ["point", "box", "scribble"]

  static func request(_ seed: String) throws -> GenerateIterativeSegmentationRequest {
    switch seed {
    case "point":
      return GenerateIterativeSegmentationRequest(seedPoint: NormalizedPoint(x: 0.5, y: 0.5))
    case "box":
      return GenerateIterativeSegmentationRequest(
        seedBox: NormalizedRect(x: 0.2, y: 0.2, width: 0.5, height: 0.5))
    default:
      return GenerateIterativeSegmentationRequest(
        seedScribbleBuffer: try Scribble(width: 32, height: 32).line(from: (4, 4), to: (28, 28))
          .buffer())
    }
  }

  /// A seed point is one of the 13; a box leaves room for 11.
  @Test(arguments: zip(seeds, [12, 11, 13]))
  func takesItsPointsAndNotOneMore(seed: String, room: Int) throws {
    let request = try Self.request(seed)
    for index in 0..<room {
      let point = NormalizedPoint(x: 0.05 * Double(index), y: 0.5)
      if index.isMultiple(of: 2) {
        try request.addIncludedPoint(point)
      } else {
        try request.addExcludedPoint(point)
      }
    }
    #expect(request.description.contains("\(room) more points"))
    #expect(throws: VisionError.self) {
      try request.addIncludedPoint(NormalizedPoint(x: 0.5, y: 0.5))
    }
    #expect(throws: VisionError.self) {
      try request.addExcludedPoint(NormalizedPoint(x: 0.5, y: 0.5))
    }
    #expect(request.description.contains("\(room) more points"))
  }

  @Test(arguments: [(1.5, 0.5), (0.5, -0.1), (Double.nan, 0.5), (0.5, Double.infinity)])
  func refusesPointsThatAreNotOnThePicture(x: Double, y: Double) throws {
    let request = try Self.request("point")
    let point = NormalizedPoint(x: x, y: y)
    #expect {
      try request.addIncludedPoint(point)
    } throws: { error in
      if case VisionError.outOfBoundsError = error { true } else { false }
    }
    #expect(throws: VisionError.self) { try request.addExcludedPoint(point) }
    #expect(request.description.contains("0 more points"))
  }

  @Test func defaultsAreVisions() throws {
    let request = try Self.request("point")
    #expect(request.qualityLevel == .balanced)
    #expect(request.regionOfInterest == .fullImage)
    #expect(request.revision == .revision1)
    #expect(GenerateIterativeSegmentationRequest.supportedRevisions == [.revision1])
    #expect(request.descriptor == .generateIterativeSegmentationRequest(.revision1))
    #expect(request == request)
    #expect(request != (try Self.request("point")))
  }
}
