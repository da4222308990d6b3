import SamModel
import SamTensor
import SamTestSupport
import Testing

/// The places where an implementation of MobileSAM goes wrong by a little, each with a test of its own.
///
/// The goldens say how far each result moves where the trap is fallen into (`trap.NAME`). A test first makes sure
/// that its tolerance is at most a fifth of that, so that it cannot pass for want of precision.
///
/// The ninth trap, masks enlarged in two steps, is MaskPostprocessorTests'.
struct NumericTrapTests {
  // MARK: 1. The resize

  @Test func theShortSideIsRoundedHalfUp() throws {
    let run = try TinyRun.shared.get()
    // 170.86 and 169.82 rows or columns.
    #expect(try run.embedding("tall").geometry.resizedWidth == 171)
    #expect(try run.embedding("wide").geometry.resizedHeight == 170)
    // 166.5: neither cut off nor rounded to even.
    let half = NetworkConfiguration.mobileSAM.geometry(imageWidth: 2048, imageHeight: 333)
    #expect(half.resizedHeight == 167)
    try expectFrame("tall", trap: "rounding")
    try expectFrame("wide", trap: "rounding")
  }

  @Test func aSideIsAtLeastOnePixel() {
    let flat = NetworkConfiguration.mobileSAM.geometry(imageWidth: 5000, imageHeight: 1)
    #expect((flat.resizedWidth, flat.resizedHeight) == (1024, 1))
    let thin = NetworkConfiguration.mobileSAM.geometry(imageWidth: 1, imageHeight: 5000)
    #expect((thin.resizedWidth, thin.resizedHeight) == (1, 1024))
  }

  @Test func shrinkingIsAntialiased() throws {
    try expectFrame("tall", trap: "antialiasing")
  }

  // MARK: 2. Normalise, then pad

  @Test func paddingIsZeroAndNotNormalisedBlack() throws {
    let run = try TinyRun.shared.get()
    let (frame, geometry) = try run.network.frame(TinyRun.picture("tall"))
    for y in 0..<geometry.paddedHeight {
      for x in geometry.resizedWidth..<geometry.paddedWidth {
        for c in 0..<3 { try #require(frame.pixel(y, x)[c] == 0, "row \(y), column \(x)") }
      }
    }
    try expectFrame("tall", trap: "padding")
    try expectFrame("wide", trap: "padding")
  }

  // MARK: 3. Half a pixel

  @Test func pointsLieHalfAPixelOn() throws {
    try expectLogits("tall.point", tolerance: 1e-4, trap: "half_pixel_of_points")
  }

  @Test func boxCornersLieHalfAPixelOn() throws {
    try expectLogits("tall.box", tolerance: 1e-4, trap: "half_pixel_of_boxes")
  }

  // MARK: 4. The padding token

  @Test func pointsWithoutABoxHaveAPaddingToken() throws {
    try expectLogits("tall.point", tolerance: 1e-4, trap: "padding_token_missing")
  }

  @Test func pointsWithABoxHaveNone() throws {
    try expectLogits("tall.box_point", tolerance: 1e-4, trap: "padding_token_with_box")
  }

  @Test func thePaddingTokenHasNoPosition() throws {
    try expectLogits("tall.point", tolerance: 1e-4, trap: "padding_token_position")
  }

  // MARK: 5. Padded windows: 7 × 7 on 32 × 32, 14 × 14 and 7 × 7 on 16 × 16

  @Test(arguments: ["layer1_block0", "layer2_block0", "layer3_block0"])
  func windowsArePaddedBeforeTheLayerNorm(stage: String) throws {
    try expectStage(stage, trap: "late_window_padding.\(stage)")
  }

  @Test(arguments: ["layer1_block0", "layer2_block0", "layer3_block0"])
  func windowPaddingIsNotMasked(stage: String) throws {
    try expectStage(stage, trap: "masked_window_padding.\(stage)")
  }

  // MARK: 6. The third downsampling

  @Test func theThirdDownsamplingKeepsTheGrid() throws {
    let run = try TinyRun.shared.get()
    for (stage, side) in [("layer0", 32), ("layer1", 16), ("layer2", 16), ("neck", 16)] {
      let map = try #require(run.stages[stage])
      #expect((map.height, map.width) == (side, side), "\(stage)")
    }
    try expectStage("layer2", trap: nil)
  }

  // MARK: 7. GELU and the epsilons

  @Test func theEncodersGELUIsExact() throws {
    try expectStage("patch_embed", trap: "gelu.encoder")
  }

  @Test func theDecodersGELUIsExact() throws {
    try expectLogits("tall.point", tolerance: 1e-4, trap: "gelu.decoder")
  }

  @Test func theMaskInputsGELUIsExact() throws {
    try expectRefinement(tolerance: 5e-5, trap: "gelu.mask_input")
  }

  @Test func batchNormAddsItsEpsilon() throws {
    try expectStage("patch_embed", trap: "batch_norm_epsilon")
  }

  @Test func theEncodersLayerNormAddsItsEpsilon() throws {
    try expectStage("layer1_block0", trap: "layer_norm_epsilon.encoder")
  }

  @Test(arguments: ["norm1", "norm2", "norm3", "norm4", "norm_final_attn"])
  func theDecodersLayerNormsAddTheirEpsilon(norm: String) throws {
    try expectLogits("tall.point", tolerance: 1e-4, trap: "layer_norm_epsilon.\(norm)")
  }

  @Test func theNecksLayerNormAddsASmallerEpsilon() throws {
    try expectStage("neck", trap: "layer_norm_2d_epsilon.neck")
  }

  @Test func theUpscalingsLayerNormAddsASmallerEpsilon() throws {
    try expectLogits("tall.point", tolerance: 1e-4, trap: "layer_norm_2d_epsilon.decoder")
  }

  @Test func theMaskInputsLayerNormAddsASmallerEpsilon() throws {
    try expectRefinement(tolerance: 5e-5, trap: "layer_norm_2d_epsilon.mask_input")
  }

  // MARK: 8. Which mask

  @Test func maskZeroIsTheSingleAnswerAndOneToThreeTheCandidates() throws {
    let run = try TinyRun.shared.get()
    try expectLogits("tall.point", tolerance: 1e-4, trap: "which_mask")
    // Refining takes the best candidate by predicted IoU, which is the last.
    let scores = try run.decode("tall.point").scores
    #expect(scores[1...].max() == scores[3])
    try expectRefinement(tolerance: 5e-5, trap: "which_mask")
  }

  // MARK: Comparisons

  private func expectFrame(
    _ name: String, trap: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try TinyRun.shared.get()
    let (frame, _) = try run.network.frame(TinyRun.picture(name))
    let deviation = Deviation(
      ChannelMap(frame).sampled(every: 5), try run.golden.floats("\(name).input"))
    try expect(deviation, below: 1e-6, trap: trap, run, sourceLocation)
  }

  private func expectStage(
    _ stage: String, trap: String?, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try TinyRun.shared.get()
    let deviation = try run.deviation(ofStage: stage)
    try expect(deviation, below: 1e-5 * deviation.largest, trap: trap, run, sourceLocation)
  }

  private func expectLogits(
    _ key: String, tolerance: Float, trap: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try TinyRun.shared.get()
    let deviation = try run.deviation(ofLogits: run.decode(key), key)
    try expect(deviation, below: tolerance, trap: trap, run, sourceLocation)
  }

  private func expectRefinement(
    tolerance: Float, trap: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try TinyRun.shared.get()
    let deviation = try run.deviation(ofLogits: run.refine(), "tall.point.refined")
    try expect(deviation, below: tolerance, trap: trap, run, sourceLocation)
  }

  private func expect(
    _ deviation: Deviation, below tolerance: Float, trap: String?, _ run: TinyRun,
    _ sourceLocation: SourceLocation
  ) throws {
    if let trap {
      let moved = try run.golden.number("trap.\(trap)")
      #expect(tolerance <= moved / 5, "tolerance of \(trap)", sourceLocation: sourceLocation)
    }
    #expect(deviation.worst < tolerance, "\(deviation)", sourceLocation: sourceLocation)
  }
}
