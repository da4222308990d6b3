import KernelInterface
import SamTensor

/// SAM's neck: 1×1, LayerNorm2d, 3×3, LayerNorm2d, no biases, epsilon 1e-6.
struct Neck: Sendable {
  private let pointwise: PackedMatrix
  private let convolution: WinogradWeights
  private let norm1: LayerNormWeights
  private let norm2: LayerNormWeights

  /// Keys `0` to `3`; `before` is a 1×1 convolution that does nothing but lead into the neck's own.
  init(
    _ scope: WeightScope, inputs: Int, channels: Int, before: PointwiseWeights? = nil,
    loader: LayerLoader
  ) throws(ModelError) {
    let own = try loader.pointwiseWeights(scope[0], inputs, channels, hasBias: false)
    pointwise = loader.pack(before?.followed(by: own, kernels: loader.exact) ?? own)
    norm1 = try loader.layerNorm(scope[1], channels, epsilon: 1e-6)
    convolution = try loader.winograd(scope[2], channels, channels)
    norm2 = try loader.layerNorm(scope[3], channels, epsilon: 1e-6)
  }

  /// `residual` is added to the 1×1 convolution's result.
  func callAsFunction(
    _ input: FeatureMap, residual: FeatureMap? = nil, _ context: ComputeContext
  ) -> FeatureMap {
    let channels = pointwise.columns
    let middle = context.map(
      height: input.height, width: input.width, channels: channels, border: 1)
    context.runs(of: input, middle) { left, target, rows, pixel in
      pointwise.multiply(
        left, stride: input.channels, rows: rows,
        residual: residual.map { $0.pixel(number: pixel) },
        residualStride: channels, output: target, outputStride: channels)
      norm1.apply(target, target, rows: rows, context: context)
    }
    return context.winogradConvolution(middle, convolution) { pixels, count in
      norm2.apply(pixels, pixels, rows: count, context: context)
    }
  }
}
