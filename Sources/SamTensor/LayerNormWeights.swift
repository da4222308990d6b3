/// Scale and offset of a layer norm over channels.
package struct LayerNormWeights: Sendable {
  package let channels: Int
  package let epsilon: Float
  package let weight: FloatBuffer
  package let bias: FloatBuffer

  package init(weight: [Float], bias: [Float], epsilon: Float) {
    precondition(weight.count == bias.count)
    channels = weight.count
    self.epsilon = epsilon
    self.weight = FloatBuffer(weight)
    self.bias = FloatBuffer(bias)
  }

  /// Normalises `rows` rows, contiguous in and out; in place allowed.
  package func apply(
    _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, rows: Int,
    context: ComputeContext
  ) {
    context.kernels.layerNorm(
      input, channels, rows, channels, weight.pointer, bias.pointer, epsilon, output, channels)
  }
}
