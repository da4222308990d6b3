import Foundation
import SamCheckpoint
import SamEvaluation
import SamModel
import SamSwift
import SamTestSupport
import Testing

/// Tools/training from drawn pictures to weights, and those weights in Swift.
///
/// Some ten seconds of CPU time, most of it to load PyTorch three times.
struct TrainingToolTests {
  private static let hasPyTorch = PythonTool.has(["torch", "cv2", "numpy", "safetensors"])

  @Test(.enabled("SAMSWIFT_PYTHON names no Python with PyTorch") { hasPyTorch })
  func whatItTrainsIsReadAndGivesTheSameLogits() throws {
    let folder = try TemporaryFolder()
    let output = try PythonTool.run(script: "training/smoke.py", [folder.url.path])
    try #require(output.code == 0, "\(output.text)")

    let weights = folder.file("smoke.safetensors")
    let golden = try CheckpointFile.open(folder.file("smoke_golden.safetensors"))
    let network = try SegmentationNetwork(
      checkpoint: CheckpointFile.open(weights), options: NetworkOptions(precision: .float32))
    let photograph = try ImageDecoder().decode(contentsOf: folder.file("picture.png"))
    let embedding = try network.encode(
      Picture(
        width: photograph.width, height: photograph.height, channels: photograph.channels,
        pixels: photograph.pixels))
    let prompts = [
      "point": Prompt(points: [.init(x: 90, y: 70, isIncluded: true)]),
      "box_point": Prompt(
        points: [
          .init(x: 90, y: 70, isIncluded: true), .init(x: 20, y: 100, isIncluded: false),
        ], box: .init(x0: 30, y0: 20, x1: 150, y1: 120)),
    ]
    for (key, prompt) in prompts {
      let masks = try network.decode(embedding, prompts: [prompt])[0]
      let logits = try #require(golden["picture.\(key).low_res"]).floats()
      // Seen: 6e-7 at magnitudes up to 0.3.
      let deviation = Deviation(masks.grids.flatMap(\.values), logits)
      #expect(deviation.worst < 1e-5, "\(key): \(deviation)")
      let scores = try #require(golden["picture.\(key).iou"]).floats()
      #expect(Deviation(masks.scores, scores).worst < 1e-5)
    }

    // The evaluation in PyTorch printed its means last; a box's mask does not hang on earlier ones.
    let printed = try #require(output.text.split(separator: "\n").last { $0.hasPrefix("{") })
    let means = try JSONDecoder().decode([String: Double].self, from: Data(printed.utf8))
    var options = Evaluation.Options()
    options.qualities = [.balanced]
    let report = try Evaluation(
      of: EvaluationFolder(folder.file("held_out")),
      session: SamSession(model: .file(weights), configuration: .init(precision: .float32)),
      options: options
    ).run()
    let box = try #require(report.summary(of: .balanced).all.iou[.box]) * 100
    #expect(abs(box - (try #require(means["box"]))) <= 0.5)
  }
}
