import KernelInterface

extension ComputeContext {
  /// Floats between pieces of scratch memory that are used side by side: at distances of whole pages they would share a
  /// few lines of the first-level cache.
  static let cacheLine = 16

  /// A 3×3 convolution with stride 1, padding 1 and no bias, by Winograd's F(2×2, 3×3).
  ///
  /// `input` has even sides and a zero border of 1. `finish` is called for rows of finished pixels, in the task that
  /// made them.
  ///
  /// Cost: 4 multiplications a pixel and pair of channels instead of 9. Scratch is a thread's tiles, 20 floats a channel
  /// and pixel.
  package func winogradConvolution(
    _ input: FeatureMap, _ weights: WinogradWeights,
    finish: @Sendable (_ pixels: UnsafeMutablePointer<Float>, _ count: Int) -> Void
  ) -> FeatureMap {
    precondition(input.border >= 1 && input.channels == weights.inputs)
    precondition(input.height.isMultiple(of: 2) && input.width.isMultiple(of: 2))
    let output = map(height: input.height, width: input.width, channels: weights.outputs)
    let tasks = PixelTasks(
      MapExtent(height: input.height / 2, width: input.width / 2), most: 32, threads: threads)
    let plane = tasks.longest * weights.inputs + Self.cacheLine
    let productPlane = tasks.longest * weights.chunk + Self.cacheLine
    parallel(tasks.count, scratch: 16 * (plane + productPlane)) { task, scratch in
      let products = scratch + 16 * plane
      let count = tasks.pixels(task).count
      tasks.forEachPiece(task) { y, columns, offset in
        kernels.winogradInput(
          input.pixel(2 * y - 1, 2 * columns.lowerBound - 1), input.pitch, weights.inputs,
          columns.count, scratch + offset * weights.inputs, plane)
      }
      for (i, matrices) in weights.chunks.enumerated() {
        for (p, matrix) in matrices.enumerated() {
          matrix.multiply(
            scratch + p * plane, stride: weights.inputs, rows: count,
            output: products + p * productPlane, outputStride: weights.chunk)
        }
        tasks.forEachPiece(task) { y, columns, offset in
          kernels.winogradOutput(
            products + offset * weights.chunk, productPlane, weights.chunk, columns.count,
            output.pixel(2 * y, 2 * columns.lowerBound) + i * weights.chunk, output.pitch,
            weights.outputs)
        }
      }
      tasks.forEachPiece(task) { y, columns, _ in
        for row in 2 * y..<2 * y + 2 {
          finish(output.pixel(row, 2 * columns.lowerBound), 2 * columns.count)
        }
      }
    }
    return output
  }
}
