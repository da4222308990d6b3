import SamCheckpoint
import SamModel
import SamTensor
import SamTestSupport
import Testing

/// An encoder in bfloat16 against the same in float32; the decoder is float32 in both.
@Suite(
  .enabled(
    if: Kernels.bfloat16(Kernels.current) != nil,
    "the CPU or the chosen kernels have no bfloat16 products"))
struct PrecisionTests {
  @Test func automaticIsBFloat16AndBothCanBeAskedFor() throws {
    #expect(try TestNetworks.make("tiny", NetworkOptions()).precision == .bfloat16)
    for precision in [NetworkOptions.Precision.float32, .bfloat16] {
      let network = try TestNetworks.make("tiny", NetworkOptions(precision: precision))
      #expect(network.precision == precision)
    }
  }

  // The bar is 0.99. Seen: 0.9927 to 0.9985, all four masks together.
  @Test(arguments: LiteGoldenTests.prompts)
  func liteGivesNearlyTheSameMasks(prompt key: String) throws {
    let golden = try GoldenFile(committed: "samswift_lite_golden.safetensors")
    let network = try TestNetworks.make("lite", NetworkOptions(precision: .bfloat16))
    let name = try #require(LiteGoldenTests.photos.first { $0.hasPrefix(key.prefix { $0 != "." }) })
    let masks = try network.decode(
      try network.encode(try photo(name)), prompts: [try golden.prompt(key)])[0]
    let overlap = maskOverlap(logits(masks), try golden.floats("\(key).low_res"))
    #expect(overlap >= 0.99)
  }

  // Each stage multiplies values rounded to 8 bits, so its error is some thousandths of its largest value. Seen: 9e-3.
  @Test(arguments: TinyRun.stageNames)
  func tinyStagesAreCloseToTheReferences(stage: String) throws {
    let network = try TestNetworks.make("tiny", NetworkOptions(precision: .bfloat16))
    let stages = StageRecorder()
    let (frame, geometry) = try network.frame(TinyRun.picture("tall"))
    _ = try network.encode(frame: frame, geometry: geometry, stages.observer)
    let golden = try GoldenFile(committed: "tiny_sam_golden.safetensors")
    let actual = try #require(stages[stage]).sampled(every: stage == "neck" ? 1 : 3)
    let deviation = Deviation(actual, try golden.floats("tall.stage.\(stage)"))
    #expect(deviation.relative < 2e-2, "\(deviation)")
  }
}
