import KernelInterface
import SamTensor

/// SAM's neck: 1×1, LayerNorm2d, 3×3, LayerNorm2d, no biases, epsilon 1e-6.
struct Neck: Sendable {
  private let pointwise: PackedMatrix
  private let convolution: PackedMatrix
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
    convolution = try loader.convolution(scope[2], channels, channels, size: 3, hasBias: false)
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
        residual: residual.map { $0.pixel(pixel / input.width, pixel % input.width) },
        residualStride: channels, output: target, outputStride: channels)
      norm1.apply(target, target, rows: rows, context: context)
    }
    let output = context.map(height: input.height, width: input.width, channels: channels)
    context.parallel(output.height) { y in
      let row = output.pixel(y, 0)
      context.convolutionRow(
        middle.pixel(y - 1, -1), pitch: middle.pitch, channels: channels, convolution, stride: 1,
        activation: .none, output: row, width: output.width)
      norm2.apply(row, row, rows: output.width, context: context)
    }
    return output
  }
}
