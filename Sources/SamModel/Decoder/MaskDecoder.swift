import KernelInterface
import SamTensor

/// SAM's mask decoder: a two-way transformer between a prompt's tokens and the image's cells, and the mask head.
///
/// The image side runs in four passes over chunks of grid rows, each chunk in the second-level cache: tokens of layer 1
/// ask the image; the image asks layer 1's tokens and is at once asked by layer 2's; likewise with the final attention;
/// then each chunk is upscaled and meets the mask vectors at once. By then the scores are known, and a prompt whose masks
/// nobody wants is spared the last pass, two fifths of the work.
struct MaskDecoder: Sendable {
  private let blocks: [TwoWayBlock]
  private let finalAttention: CrossAttention
  private let finalNorm: LayerNormWeights
  private let head: MaskHead
  /// IoU token and mask tokens: (1 + masks) × dimension.
  private let fixedTokens: FloatBuffer
  private let dimension: Int

  /// Keys `transformer`, `iou_token`, `mask_tokens` and the mask head's.
  init(
    _ scope: WeightScope, _ configuration: NetworkConfiguration.MaskDecoder, loader: LayerLoader
  ) throws(ModelError) {
    let dim = configuration.dim
    dimension = dim
    let transformer = scope["transformer"]
    var blocks: [TwoWayBlock] = []
    for i in 0..<configuration.depth {
      blocks.append(
        try TwoWayBlock(
          transformer["layers"][i], configuration, isFirst: i == 0, loader: loader))
    }
    self.blocks = blocks
    finalAttention = try CrossAttention(
      transformer["final_attn_token_to_image"], .tokenToImage, dimension: dim,
      heads: configuration.heads, downsample: configuration.attentionDownsample, loader: loader)
    finalNorm = try loader.layerNorm(transformer["norm_final_attn"], dim, epsilon: 1e-5)
    head = try MaskHead(scope, configuration, loader: loader)
    fixedTokens = FloatBuffer(
      try scope["iou_token"].floats("weight", 1, dim)
        + scope["mask_tokens"].floats("weight", configuration.maskTokens, dim))
  }

  /// Decodes prompts on one picture, each on its own; masks that are not wanted have no grid.
  func callAsFunction(
    _ features: ImageFeatures, positions: FeatureMap, prompts: [EncodedPrompt],
    isWanted: MaskFilter?, _ context: ComputeContext, isCancelled: @Sendable () -> Bool
  ) throws(ModelError) -> [DecodedMasks] {
    let size = groupSize(features)
    var results: [DecodedMasks] = []
    results.reserveCapacity(prompts.count)
    for first in stride(from: 0, to: prompts.count, by: size) {
      let group = Array(prompts[first..<min(first + size, prompts.count)])
      let states = group.map {
        DecodingState($0, features: features, positions: positions, fixed: fixedTokens, context)
      }
      for block in blocks {
        if isCancelled() { throw .cancelled }
        forEach(states, context) { $0.ask(block, context) }
        passOverImage(states, context)
        forEach(states, context) { $0.digest(block, context) }
      }
      if isCancelled() { throw .cancelled }
      forEach(states, context) { $0.askLast(finalAttention, context) }
      passOverImage(states, context)
      results += finish(states, isWanted: isWanted, context)
    }
    return results
  }

  /// Floats that the states of one group may take: prompts are decoded together as far as that allows.
  private static let groupFloats = 8 << 20

  private func groupSize(_ features: ImageFeatures) -> Int {
    let perPrompt = features.embedding.pixels * (dimension + MaskHead.cellLogits * head.maskCount)
    return max(1, Self.groupFloats / perPrompt)
  }

  /// Token work: one prompt a thread.
  private func forEach(
    _ states: [DecodingState], _ context: ComputeContext,
    _ body: @Sendable (DecodingState) -> Void
  ) {
    context.parallel(states.count) { body(states[$0]) }
  }

  private func passOverImage(_ states: [DecodingState], _ context: ComputeContext) {
    guard let first = states.first else { return }
    let chunks = first.chunks
    let scratch = states.map(\.scratchCount).max() ?? 0
    context.parallel(states.count * chunks.count, scratch: scratch) { task, scratch in
      states[task / chunks.count].visit(task % chunks.count, scratch: scratch, context)
    }
  }

  private func finish(
    _ states: [DecodingState], isWanted: MaskFilter?, _ context: ComputeContext
  ) -> [DecodedMasks] {
    forEach(states, context) { $0.finishTokens(finalNorm, context) }
    let networks = head.maskCount + 1
    context.parallel(states.count * networks) { task in
      states[task / networks].runHead(head, network: task % networks, context)
    }
    let seen = states.filter { $0.chooseMasks(isWanted) }
    for state in seen { state.packVectors(head, context) }
    if let first = seen.first {
      let chunks = first.chunks
      context.parallel(
        seen.count * chunks.count, scratch: head.scratchCount(cells: chunks.largest)
      ) { task, scratch in
        seen[task / chunks.count].computeLogits(
          task % chunks.count, head, scratch: scratch, context)
      }
    }
    return states.map { $0.masks(head) }
  }
}

/// Which masks are wanted, by number and predicted IoU.
package typealias MaskFilter = @Sendable (_ mask: Int, _ score: Float) -> Bool
