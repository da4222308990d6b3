import KernelInterface
import SamTensor

/// Builds packed layers out of checkpoint tensors, with the layouts of PyTorch on one side and of the kernels on the other.
struct LayerLoader {
  /// Of the layers' products.
  let kernels: MatrixKernels
  /// For products of weights, at load; in float32.
  let exact: MatrixKernels

  /// `nn.Linear`: weight (out, in), bias (out).
  func linear(_ scope: WeightScope, _ inputs: Int, _ outputs: Int) throws(ModelError)
    -> PackedMatrix
  {
    pack(
      try scope.floats("weight", outputs, inputs), inner: inputs, columns: outputs,
      bias: try scope.floats("bias", outputs))
  }

  /// A 1×1 `nn.Conv2d`: weight (out, in, 1, 1), bias (out) where there is one.
  func pointwise(_ scope: WeightScope, _ inputs: Int, _ outputs: Int, hasBias: Bool = true)
    throws(ModelError) -> PackedMatrix
  {
    pack(try pointwiseWeights(scope, inputs, outputs, hasBias: hasBias))
  }

  /// The same, not packed yet.
  func pointwiseWeights(
    _ scope: WeightScope, _ inputs: Int, _ outputs: Int, hasBias: Bool = true
  ) throws(ModelError) -> PointwiseWeights {
    PointwiseWeights(
      matrix: try scope.floats("weight", outputs, inputs, 1, 1),
      bias: hasBias ? try scope.floats("bias", outputs) : nil, inputs: inputs, outputs: outputs)
  }

  /// A dense `size × size` `nn.Conv2d`: weight (out, in, ky, kx), packed with inner dimension (ky, kx, in).
  func convolution(
    _ scope: WeightScope, _ inputs: Int, _ outputs: Int, size: Int, hasBias: Bool
  ) throws(ModelError) -> PackedMatrix {
    let weight = try scope.floats("weight", outputs, inputs, size, size)
    return packConvolution(
      weight, inputs, outputs, size: size,
      bias: hasBias ? try scope.floats("bias", outputs) : nil)
  }

  /// A dense 3×3 `nn.Conv2d` without bias and with stride 1, for maps of even sides.
  ///
  /// In float32 whatever the other products are in: Winograd's products take no longer than the plain ones would in
  /// bfloat16.
  func winograd(_ scope: WeightScope, _ inputs: Int, _ outputs: Int) throws(ModelError)
    -> WinogradWeights
  {
    WinogradWeights(
      try scope.floats("weight", outputs, inputs, 3, 3), inputs: inputs, outputs: outputs,
      kernels: exact)
  }

  /// `nn.ConvTranspose2d` of size 2 and stride 2: weight (in, out, dy, dx), packed with columns (dy, dx, out).
  func upscaling(_ scope: WeightScope, _ inputs: Int, _ outputs: Int) throws(ModelError)
    -> PackedMatrix
  {
    let weight = try scope.floats("weight", inputs, outputs, 2, 2)
    let bias = try scope.floats("bias", outputs)
    var matrix = [Float](repeating: 0, count: weight.count)
    for i in 0..<inputs {
      for o in 0..<outputs {
        for sub in 0..<4 {
          matrix[(i * 4 + sub) * outputs + o] = weight[(i * outputs + o) * 4 + sub]
        }
      }
    }
    return PackedMatrix(
      matrix, inner: inputs, columns: 4 * outputs, innerStride: 4 * outputs, columnStride: 1,
      bias: bias + bias + bias + bias, kernels: kernels)
  }

  /// `nn.LayerNorm` and SAM's LayerNorm2d: weight and bias per channel.
  func layerNorm(_ scope: WeightScope, _ channels: Int, epsilon: Float) throws(ModelError)
    -> LayerNormWeights
  {
    LayerNormWeights(
      weight: try scope.floats("weight", channels), bias: try scope.floats("bias", channels),
      epsilon: epsilon)
  }

  /// Conv2d_BN of size 1 (keys `c.weight`, `bn.*`), folded.
  func foldedPointwise(_ scope: WeightScope, _ inputs: Int, _ outputs: Int, epsilon: Float)
    throws(ModelError) -> PackedMatrix
  {
    pack(try foldedPointwiseWeights(scope, inputs, outputs, epsilon: epsilon))
  }

  /// The same, not packed yet.
  func foldedPointwiseWeights(
    _ scope: WeightScope, _ inputs: Int, _ outputs: Int, epsilon: Float
  ) throws(ModelError) -> PointwiseWeights {
    let fold = try BatchNormFold(scope["bn"], channels: outputs, epsilon: epsilon)
    var weight = try scope["c"].floats("weight", outputs, inputs, 1, 1)
    fold.scale(&weight)
    return PointwiseWeights(matrix: weight, bias: fold.bias, inputs: inputs, outputs: outputs)
  }

  func pack(_ weights: PointwiseWeights) -> PackedMatrix {
    pack(
      weights.matrix, inner: weights.inputs, columns: weights.outputs, bias: weights.bias)
  }

  /// Dense Conv2d_BN of size 3, folded.
  func foldedConvolution(_ scope: WeightScope, _ inputs: Int, _ outputs: Int, epsilon: Float)
    throws(ModelError) -> PackedMatrix
  {
    let fold = try BatchNormFold(scope["bn"], channels: outputs, epsilon: epsilon)
    var weight = try scope["c"].floats("weight", outputs, inputs, 3, 3)
    fold.scale(&weight)
    return packConvolution(weight, inputs, outputs, size: 3, bias: fold.bias)
  }

  /// Depthwise Conv2d_BN, folded.
  func foldedDepthwise(_ scope: WeightScope, _ channels: Int, size: Int, epsilon: Float)
    throws(ModelError) -> DepthwiseWeights
  {
    let fold = try BatchNormFold(scope["bn"], channels: channels, epsilon: epsilon)
    var weight = try scope["c"].floats("weight", channels, 1, size, size)
    fold.scale(&weight)
    return DepthwiseWeights(weight, size: size, channels: channels, bias: fold.bias)
  }

  private func pack(_ weight: [Float], inner: Int, columns: Int, bias: [Float]?) -> PackedMatrix {
    PackedMatrix(
      weight, inner: inner, columns: columns, innerStride: 1, columnStride: inner, bias: bias,
      kernels: kernels)
  }

  private func packConvolution(
    _ weight: [Float], _ inputs: Int, _ outputs: Int, size: Int, bias: [Float]?
  ) -> PackedMatrix {
    let taps = size * size
    var matrix = [Float](repeating: 0, count: weight.count)
    for o in 0..<outputs {
      for i in 0..<inputs {
        for t in 0..<taps {
          matrix[(o * taps + t) * inputs + i] = weight[(o * inputs + i) * taps + t]
        }
      }
    }
    return pack(matrix, inner: taps * inputs, columns: outputs, bias: bias)
  }
}

/// Batch normalisation at inference as a scale and an offset per output channel.
struct BatchNormFold {
  private let factors: [Float]
  /// The bias of the folded convolution (the convolutions before a batch norm have none).
  let bias: [Float]

  init(_ scope: WeightScope, channels: Int, epsilon: Float) throws(ModelError) {
    let weight = try scope.floats("weight", channels)
    let offset = try scope.floats("bias", channels)
    let mean = try scope.floats("running_mean", channels)
    let variance = try scope.floats("running_var", channels)
    factors = (0..<channels).map {
      Float(Double(weight[$0]) / (Double(variance[$0]) + Double(epsilon)).squareRoot())
    }
    let factors = factors
    bias = (0..<channels).map { offset[$0] - mean[$0] * factors[$0] }
  }

  /// Scales a weight whose first axis is the output channel.
  func scale(_ weight: inout [Float]) {
    let each = weight.count / factors.count
    for (o, factor) in factors.enumerated() {
      for i in o * each..<(o + 1) * each { weight[i] *= factor }
    }
  }
}
