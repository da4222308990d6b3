import KernelInterface
import SamTensor

/// One layer of SAM's two-way transformer, its token side.
///
/// The image side is ``ImageToToken`` and ``TokenToImage``, run chunk by chunk by ``MaskDecoder``.
struct TwoWayBlock: Sendable {
  let tokenToImage: CrossAttention
  let imageToToken: CrossAttention
  /// After the image's update.
  let imageNorm: LayerNormWeights
  private let selfAttention: SelfAttention
  private let norm1: LayerNormWeights
  private let norm2: LayerNormWeights
  private let norm3: LayerNormWeights
  private let widen: PackedMatrix
  private let narrow: PackedMatrix
  /// The first layer's self-attention takes the tokens without positions and without a residual.
  private let isFirst: Bool
  private let dimension: Int

  init(
    _ scope: WeightScope, _ configuration: NetworkConfiguration.MaskDecoder, isFirst: Bool,
    loader: LayerLoader
  ) throws(ModelError) {
    let dim = configuration.dim
    dimension = dim
    self.isFirst = isFirst
    selfAttention = try SelfAttention(
      scope["self_attn"], dimension: dim, heads: configuration.heads, loader: loader)
    tokenToImage = try CrossAttention(
      scope["cross_attn_token_to_image"], .tokenToImage, dimension: dim,
      heads: configuration.heads, downsample: configuration.attentionDownsample, loader: loader)
    imageToToken = try CrossAttention(
      scope["cross_attn_image_to_token"], .imageToToken, dimension: dim,
      heads: configuration.heads, downsample: configuration.attentionDownsample, loader: loader)
    norm1 = try loader.layerNorm(scope["norm1"], dim, epsilon: 1e-5)
    norm2 = try loader.layerNorm(scope["norm2"], dim, epsilon: 1e-5)
    norm3 = try loader.layerNorm(scope["norm3"], dim, epsilon: 1e-5)
    imageNorm = try loader.layerNorm(scope["norm4"], dim, epsilon: 1e-5)
    widen = try loader.linear(scope["mlp"]["lin1"], dim, configuration.mlpDim)
    narrow = try loader.linear(scope["mlp"]["lin2"], configuration.mlpDim, dim)
  }

  /// Self-attention and its norm, in place on `state.tokens`.
  func attendToSelf(_ state: TokenState, _ context: ComputeContext) {
    let tokens = state.tokens.pointer
    state.addPositions(context)
    selfAttention(
      positioned: isFirst ? tokens : state.positioned.pointer, tokens: tokens,
      residual: isFirst ? nil : UnsafePointer(tokens), count: state.count,
      result: state.scratch.pointer, context)
    norm1.apply(state.scratch.pointer, tokens, rows: state.count, context: context)
    state.addPositions(context)
  }

  /// Norm after the tokens asked the image, then the MLP and its norm, in place on `state.tokens`.
  func digest(_ state: TokenState, _ context: ComputeContext) {
    let tokens = state.tokens.pointer
    norm2.apply(tokens, tokens, rows: state.count, context: context)
    let wide = context.pool.buffer(state.count * widen.columns)
    widen.multiply(
      tokens, stride: dimension, rows: state.count, activation: .relu, output: wide.pointer,
      outputStride: widen.columns)
    narrow.multiply(
      wide.pointer, stride: widen.columns, rows: state.count, residual: tokens,
      residualStride: dimension, output: state.scratch.pointer, outputStride: dimension)
    norm3.apply(state.scratch.pointer, tokens, rows: state.count, context: context)
    state.addPositions(context)
    withExtendedLifetime(wide) {}
  }
}

/// The tokens of one prompt on their way through the transformer.
final class TokenState: Sendable {
  let count: Int
  let dimension: Int
  /// The tokens as they entered: the transformer adds them as positions.
  let positions: FloatBuffer
  let tokens: FloatBuffer
  /// `tokens + positions`, as of the last ``addPositions(_:)``.
  let positioned: FloatBuffer
  let scratch: FloatBuffer

  /// IoU token, mask tokens, then the prompt's.
  init(fixed: FloatBuffer, prompt: EncodedPrompt, dimension: Int, _ context: ComputeContext) {
    self.dimension = dimension
    let fixedCount = fixed.count / dimension
    count = fixedCount + prompt.count
    let size = count * dimension
    positions = context.pool.buffer(size)
    tokens = context.pool.buffer(size)
    positioned = context.pool.buffer(size)
    scratch = context.pool.buffer(size)
    positions.pointer.update(from: fixed.pointer, count: fixed.count)
    (positions.pointer + fixed.count)
      .update(from: prompt.tokens.pointer, count: prompt.count * dimension)
    tokens.pointer.update(from: positions.pointer, count: size)
  }

  func addPositions(_ context: ComputeContext) {
    context.kernels.add(
      tokens.pointer, positions.pointer, positioned.pointer, count * dimension)
  }
}
