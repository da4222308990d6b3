import KernelInterface

extension ComputeContext {
  /// A 3×3 convolution with padding 1 as an implicit product.
  ///
  /// The left operand is three segments of `3 · channels` floats for each pixel, read where they lie: `input` has a zero
  /// border of at least 1. `matrix` has inner dimension (ky, kx, channel).
  package func convolution3x3(
    _ input: FeatureMap, _ matrix: PackedMatrix, stride: Int = 1, activation: Activation = .none,
    border: Int = 0
  ) -> FeatureMap {
    precondition(input.border >= 1 && matrix.inner == 9 * input.channels)
    let height = (input.height - 1) / stride + 1
    let width = (input.width - 1) / stride + 1
    let output = map(height: height, width: width, channels: matrix.columns, border: border)
    parallel(height) { y in
      convolutionRow(
        input.pixel(y * stride - 1, -1), pitch: input.pitch, channels: input.channels, matrix,
        stride: stride, activation: activation, output: output.pixel(y, 0), width: width)
    }
    return output
  }

  /// One row of ``convolution3x3(_:_:stride:activation:border:)``; `corner` is the upper left tap of its first pixel.
  package func convolutionRow(
    _ corner: UnsafePointer<Float>, pitch: Int, channels: Int, _ matrix: PackedMatrix, stride: Int,
    activation: Activation, output: UnsafeMutablePointer<Float>, width: Int
  ) {
    matrix.multiply(
      corner, stride: stride * channels, rows: width, segments: 3, segmentStride: pitch,
      activation: activation, output: output, outputStride: matrix.columns)
  }

  /// A 2×2 convolution with stride 2 and no padding; inner dimension (ky, kx, channel).
  package func convolution2x2(
    _ input: FeatureMap, _ matrix: PackedMatrix, activation: Activation = .none
  ) -> FeatureMap {
    precondition(matrix.inner == 4 * input.channels)
    let output = map(
      height: input.height / 2, width: input.width / 2, channels: matrix.columns)
    parallel(output.height) { y in
      matrix.multiply(
        input.pixel(2 * y, 0), stride: 2 * input.channels, rows: output.width, segments: 2,
        segmentStride: input.pitch, activation: activation, output: output.pixel(y, 0),
        outputStride: output.channels)
    }
    return output
  }
}
