import KernelInterface

extension ComputeContext {
  /// Pixels that one task of a pointwise product takes: a whole number of kernel tiles, small enough for the
  /// second-level cache.
  package static let rowsPerTask = 64

  /// `activation(input · matrix + bias + residual)` at each pixel: a 1×1 convolution.
  ///
  /// Cost: pixels · inner · columns multiplications.
  package func linear(
    _ input: FeatureMap, _ matrix: PackedMatrix, activation: Activation = .none,
    residual: FeatureMap? = nil, border: Int = 0
  ) -> FeatureMap {
    precondition(input.channels == matrix.inner)
    let output = map(
      height: input.height, width: input.width, channels: matrix.columns, border: border)
    runs(of: input, output) { left, target, rows, pixel in
      matrix.multiply(
        left, stride: input.channels, rows: rows,
        residual: residual.map { $0.pixel(pixel / input.width, pixel % input.width) },
        residualStride: residual?.channels ?? 0, activation: activation,
        output: target, outputStride: output.channels)
    }
    return output
  }

  /// Calls `body` in parallel for runs of pixels that are contiguous in both maps (of one size).
  package func runs(
    of input: FeatureMap, _ output: FeatureMap,
    _ body:
      @Sendable (
        _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ pixels: Int,
        _ firstPixel: Int
      ) -> Void
  ) {
    if input.border == 0 && output.border == 0 {
      let size = Self.rowsPerTask
      parallel((input.pixels + size - 1) / size) { task in
        let first = task * size
        body(
          input.buffer.pointer + first * input.channels,
          output.buffer.pointer + first * output.channels, min(size, input.pixels - first), first)
      }
    } else {
      parallel(input.height) { y in
        body(input.pixel(y, 0), output.pixel(y, 0), input.width, y * input.width)
      }
    }
  }
}
