import KernelInterface

extension ComputeContext {
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
        residual: residual.map { $0.pixel(number: pixel) },
        residualStride: residual?.channels ?? 0, activation: activation,
        output: target, outputStride: output.channels)
    }
    return output
  }

  /// Calls `body` in parallel for runs of pixels that are contiguous in both maps, which have one size.
  package func runs(
    of input: FeatureMap, _ output: FeatureMap,
    _ body:
      @Sendable (
        _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ pixels: Int,
        _ firstPixel: Int
      ) -> Void
  ) {
    let tasks = PixelTasks(input.extent, threads: threads)
    let isContiguous = input.border == 0 && output.border == 0
    parallel(tasks.count) { task in
      if isContiguous {
        let pixels = tasks.pixels(task)
        let first = pixels.lowerBound
        body(
          input.buffer.pointer + first * input.channels,
          output.buffer.pointer + first * output.channels, pixels.count, first)
      } else {
        tasks.forEachPiece(task) { y, columns, _ in
          let x = columns.lowerBound
          body(input.pixel(y, x), output.pixel(y, x), columns.count, y * input.width + x)
        }
      }
    }
  }
}
