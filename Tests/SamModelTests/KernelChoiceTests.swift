import SamModel
import SamTensor
import SamTestSupport
import Testing

/// The networks on every table of kernels.
struct KernelChoiceTests {
  // Seen between any two tables: 2e-5 at magnitudes up to 4 (tiny) and 14 (Lite).
  @Test(arguments: ["avx512", "avx2", "baseline", "blas", "reference"])
  func tinyGivesTheReferencesLogits(kernels name: String) throws {
    let golden = try GoldenFile(committed: "tiny_sam_golden.safetensors")
    let network = try Self.network("tiny", name)
    for key in ["tall.point", "tall.box_point", "wide.point"] {
      let embedding = try network.encode(TinyRun.picture(String(key.prefix(4))))
      let prompt = try golden.prompt(key)
      let masks = try network.decode(embedding, prompts: [prompt])[0]
      try Self.expectClose(masks, golden, key, tolerance: 1e-4)
      if key == "tall.point" {
        let refined = try network.decode(
          embedding, prompts: [try refinement(of: prompt, after: masks)])[0]
        try Self.expectClose(refined, golden, "tall.point.refined", tolerance: 1e-4)
      }
    }
  }

  /// Not `reference`: scalar loops take many seconds for it.
  @Test(arguments: ["avx512", "avx2", "baseline", "blas"])
  func liteGivesTheReferencesLogits(kernels name: String) throws {
    let golden = try GoldenFile(committed: "samswift_lite_golden.safetensors")
    let network = try Self.network("lite", name)
    let embedding = try network.encode(try photo("coffee.png"))
    for key in ["coffee.point", "coffee.include_exclude"] {
      let masks = try network.decode(embedding, prompts: [try golden.prompt(key)])[0]
      try Self.expectClose(masks, golden, key, tolerance: 2e-4)
    }
  }

  private static func network(_ model: String, _ kernels: String) throws -> SegmentationNetwork {
    guard let table = Kernels.named(kernels) else {
      try Test.cancel("this CPU lacks the instructions of \(kernels)")
    }
    let network = try TestNetworks.make(model, NetworkOptions(precision: .float32, kernels: table))
    #expect(network.context.kernels.name == kernels)
    return network
  }

  private static func expectClose(
    _ masks: DecodedMasks, _ golden: GoldenFile, _ key: String, tolerance: Float
  ) throws {
    let deviation = Deviation(logits(masks), try golden.floats("\(key).low_res"))
    #expect(deviation.worst < tolerance, "\(key): \(deviation)")
    let scores = Deviation(masks.scores, try golden.floats("\(key).iou"))
    #expect(scores.worst < 2e-5, "\(key), predicted IoU: \(scores)")
  }
}
