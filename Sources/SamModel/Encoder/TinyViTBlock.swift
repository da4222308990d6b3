import KernelInterface
import SamTensor

/// TinyViT's block: window attention, a depthwise 3×3 convolution, an MLP of ratio 4.
struct TinyViTBlock: Sendable {
  private let attention: WindowAttention
  private let localConvolution: DepthwiseWeights
  private let norm: LayerNormWeights
  private let widen: PackedMatrix
  private let narrow: PackedMatrix
  private let dimension: Int

  /// Keys `attn`, `local_conv`, `mlp`.
  init(
    _ scope: WeightScope, dimension: Int, heads: Int, biasSide: Int, mlpRatio: Int,
    layerNormEpsilon: Float, batchNormEpsilon: Float, loader: LayerLoader
  ) throws(ModelError) {
    self.dimension = dimension
    attention = try WindowAttention(
      scope["attn"], dimension: dimension, heads: heads, biasSide: biasSide,
      epsilon: layerNormEpsilon, loader: loader)
    localConvolution = try loader.foldedDepthwise(
      scope["local_conv"], dimension, size: 3, epsilon: batchNormEpsilon)
    let mlp = scope["mlp"]
    norm = try loader.layerNorm(mlp["norm"], dimension, epsilon: layerNormEpsilon)
    widen = try loader.linear(mlp["fc1"], dimension, mlpRatio * dimension)
    narrow = try loader.linear(mlp["fc2"], mlpRatio * dimension, dimension)
  }

  /// Consumes `tokens` (its memory is overwritten) and returns the block's result.
  ///
  /// `reach` is how far the picture can be felt, or nil where it fills the frame; `layer` names what is kept.
  func callAsFunction(
    _ tokens: FeatureMap, window: MapExtent, reach: inout PictureReach?, layer: String,
    _ context: ComputeContext
  ) -> FeatureMap {
    let (height, width) = (tokens.height, tokens.width)
    // The windows that the picture reaches end up to a window past it.
    reach?.settle(tokens, layer + ".input", count: window.height)
    reach?.attend(window: window.height, height: height, width: width)
    attention(
      tokens, window: window, part: reach?.extent(height: height, width: width) ?? tokens.extent,
      context)
    reach?.settle(tokens, layer + ".attention", count: 2)
    reach?.convolve(stride: 1, height: height, width: width)
    return mix(
      tokens, part: reach?.extent(height: height, width: width) ?? tokens.extent, context)
  }

  /// The depthwise convolution and the MLP, some pixels at a time.
  private func mix(
    _ tokens: FeatureMap, part: MapExtent, _ context: ComputeContext
  ) -> FeatureMap {
    let output = context.map(height: tokens.height, width: tokens.width, channels: dimension)
    let tasks = PixelTasks(part, threads: context.threads)
    let local = tasks.longest * dimension
    context.parallel(tasks.count, scratch: 2 * local + tasks.longest * widen.columns) {
      task, scratch in
      let normalised = scratch + local
      let wide = normalised + local
      let count = tasks.pixels(task).count
      tasks.forEachPiece(task) { y, columns, offset in
        context.depthwiseRow(
          tokens, localConvolution, stride: 1, activation: .none, y: y, columns: columns,
          output: scratch + offset * dimension)
      }
      norm.apply(scratch, normalised, rows: count, context: context)
      widen.multiply(
        normalised, stride: dimension, rows: count, activation: .gelu, output: wide,
        outputStride: widen.columns)
      let narrow = { (y: Int, x: Int, offset: Int, count: Int) in
        self.narrow.multiply(
          wide + offset * widen.columns, stride: widen.columns, rows: count,
          residual: scratch + offset * dimension, residualStride: dimension,
          output: output.pixel(y, x), outputStride: dimension)
      }
      if part.width == output.width {
        let (y, x) = tasks.pixels(task).lowerBound.quotientAndRemainder(dividingBy: part.width)
        narrow(y, x, 0, count)
      } else {
        tasks.forEachPiece(task) { y, columns, offset in
          narrow(y, columns.lowerBound, offset, columns.count)
        }
      }
    }
    return output
  }
}
