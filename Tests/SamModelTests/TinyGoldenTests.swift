import SamModel
import SamTestSupport
import Testing

/// MobileSAM's layers against PyTorch in a network small enough to be committed; see Tools/reference/make_tiny.py.
struct TinyGoldenTests {
  // Tolerance: a share of the stage's largest magnitude. Seen: 1.4e-6 or less.
  @Test(arguments: TinyRun.stageNames)
  func stageEqualsTheReference(stage: String) throws {
    let deviation = try TinyRun.shared.get().deviation(ofStage: stage)
    #expect(deviation.relative < 1e-5, "\(stage): \(deviation)")
  }

  // Seen: 1.5e-5 at magnitudes up to 4.
  @Test(arguments: TinyRun.prompts)
  func logitsAndScoresEqualTheReference(prompt key: String) throws {
    let run = try TinyRun.shared.get()
    try expectEqual(key, run.decode(key), run)
  }

  @Test func refinementEqualsTheReference() throws {
    let run = try TinyRun.shared.get()
    try expectEqual("tall.point.refined", run.refine(), run)
  }

  private func expectEqual(_ key: String, _ masks: DecodedMasks, _ run: TinyRun) throws {
    let deviation = try run.deviation(ofLogits: masks, key)
    #expect(deviation.worst < 1e-4, "\(deviation)")
    let expected = try run.golden.floats("\(key).low_res")
    #expect(maskOverlap(logits(masks), expected) >= 0.9995)
    let scores = Deviation(masks.scores, try run.golden.floats("\(key).iou"))
    #expect(scores.worst < 2e-5, "predicted IoU: \(scores)")
  }
}
