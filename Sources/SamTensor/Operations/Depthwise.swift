import KernelInterface

extension ComputeContext {
  /// Some columns of row `y` of a map's depthwise convolution, padded on each side so that stride 1 keeps its size.
  package func depthwiseRow(
    _ input: FeatureMap, _ weights: DepthwiseWeights, stride: Int, activation: Activation, y: Int,
    columns: Range<Int>, output: UnsafeMutablePointer<Float>
  ) {
    let firstColumn = columns.lowerBound * stride - weights.pad
    let x0 = max(0, firstColumn)
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: weights.size) { rows in
      for ky in 0..<weights.size {
        let row = y * stride + ky - weights.pad
        rows[ky] = row >= 0 && row < input.height ? UnsafePointer(input.pixel(row, x0)) : nil
      }
      depthwise(
        rows, weights, stride: stride, activation: activation, leftPad: x0 - firstColumn,
        inputWidth: input.width - x0, output: output, outputWidth: columns.count)
    }
  }

  /// One row of results from the rows of the input; see ``KernelTable/depthwiseConvolution``.
  func depthwise(
    _ rows: UnsafeMutableBufferPointer<UnsafePointer<Float>?>, _ weights: DepthwiseWeights,
    stride: Int, activation: Activation, leftPad: Int, inputWidth: Int,
    output: UnsafeMutablePointer<Float>, outputWidth: Int
  ) {
    guard let first = rows.baseAddress else { return }
    kernels.depthwiseConvolution(
      first, weights.size, stride, leftPad, inputWidth, weights.channels, weights.taps.pointer,
      weights.bias.pointer, activation, output, outputWidth)
  }
}
