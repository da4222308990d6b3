import Foundation
import SamCheckpoint
import SamSwift
import SamTestSupport
import Testing

/// The session on MobileSAM's architecture against the reference predictor's answers.
@Suite(
  .enabled(
    if: ReferenceFolder.url("mobile_sam_synthetic.pt") != nil
      && ReferenceFolder.url("mobile_sam_golden.safetensors") != nil,
    "needs mobile_sam_synthetic.pt and mobile_sam_golden.safetensors in SAMSWIFT_REFERENCE"))
struct MobileSAMSessionTests {
  let click = SamPoint(x: 300, y: 180)
  let box = SamBox(x0: 130, y0: 60, x1: 480, y1: 360)

  private static let shared = Result {
    let url = try #require(ReferenceFolder.url("mobile_sam_synthetic.pt"))
    let session = try SamSession(
      model: .file(url), configuration: SamConfiguration(precision: .float32))
    try session.setImage(TestPhotos.url("coffee.png"))
    return session
  }

  private func golden(_ key: String) throws -> [Float] {
    let url = try #require(ReferenceFolder.url("mobile_sam_golden.safetensors"))
    return try #require(CheckpointFile.open(url)["coffee.\(key)"]).floats()
  }

  private func worstError(_ actual: SamLogits, _ expected: ArraySlice<Float>) -> Float {
    zip(actual.values, expected).map { abs($0 - $1) }.max() ?? .infinity
  }

  @Test func aClicksReadingsAreTheReferencesInOrderOfScore() async throws {
    let result = try await Self.shared.get().predict(
      points: [click], options: SamPredictOptions(quality: .fast, multimask: true))
    let (logits, scores) = (try golden("point.multi.low_res"), try golden("point.multi.iou"))
    let order = (0..<3).sorted { scores[$0] > scores[$1] }
    #expect(result.masks.count == 3)
    for (mask, index) in zip(result.masks, order) {
      let expected = logits[index * 65_536..<(index + 1) * 65_536]
      #expect(worstError(mask.logits, expected) < 2e-3)
      #expect(abs(mask.score - scores[index]) < 1e-3)
      #expect(mask.width == 256 && mask.height == 171)
    }
  }

  @Test func refiningIsTheReferences() async throws {
    let session = try Self.shared.get()
    let first = try await session.predict(points: [click])
    let refined = try await session.predict(points: [click], maskInput: first.best.logits)
    #expect(worstError(refined.best.logits, try golden("point.refined.low_res")[...]) < 2e-3)
  }

  /// All clicks go to the decoder at once.
  @Test func severalPromptsAreTheReferences() async throws {
    let labels: [SamPoint.Label] = [.include, .exclude, .include]
    let thirteen = (0..<13).map { index in
      SamPoint(
        x: Double(40 * index + 20), y: Double(25 * index + 30),
        label: index == 12 ? .include : labels[index % 3])
    }
    let prompts = [
      ("point_neg", SamPrompt(points: [click, SamPoint(x: 60, y: 60, label: .exclude)])),
      ("box", SamPrompt(box: box)), ("box_point", SamPrompt(points: [click], box: box)),
      ("points13", SamPrompt(points: thirteen)),
    ]
    let results = try await Self.shared.get().predict(prompts.map(\.1))
    for ((name, _), result) in zip(prompts, results) {
      let expected = try golden("\(name).single.low_res")
      #expect(worstError(result.best.logits, expected[...]) < 2e-3, "\(name)")
      #expect(result.best.width == 1024 && result.best.height == 683)
    }
  }
}
