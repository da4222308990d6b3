/// The taps of a depthwise convolution, channels-last: `size² × channels`, and a bias per channel.
package struct DepthwiseWeights: Sendable {
  /// 3 or 5.
  package let size: Int
  package let channels: Int
  package let taps: FloatBuffer
  package let bias: FloatBuffer

  /// From PyTorch's (channels, 1, size, size).
  package init(_ weights: [Float], size: Int, channels: Int, bias: [Float]) {
    precondition(weights.count == size * size * channels && bias.count == channels)
    self.size = size
    self.channels = channels
    taps = FloatBuffer(count: weights.count)
    self.bias = FloatBuffer(bias)
    for c in 0..<channels {
      for t in 0..<size * size {
        taps.pointer[t * channels + c] = weights[c * size * size + t]
      }
    }
  }

  /// Zeros that a `size × size` convolution of stride 1 wants on each side.
  package var pad: Int { size / 2 }
}
