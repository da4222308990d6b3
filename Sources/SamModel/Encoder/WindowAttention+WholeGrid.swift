import KernelInterface
import SamTensor

extension WindowAttention {
  /// `tokens += attention(tokens)` in place where one window is the whole grid.
  ///
  /// What is one task for each window elsewhere is three steps here: tokens for the two products, heads and queries for
  /// the attention between them.
  func attendWholeGrid(_ tokens: FeatureMap, _ context: ComputeContext) {
    let result = attended(projected(tokens, context), context)
    context.runs(of: result, tokens) { left, token, count, _ in
      projection.multiply(
        left, stride: dimension, rows: count, residual: token, residualStride: dimension,
        output: token, outputStride: dimension)
    }
  }

  /// Queries, keys and values of the normalised tokens: 3 · dimension channels.
  private func projected(_ tokens: FeatureMap, _ context: ComputeContext) -> FeatureMap {
    let output = context.map(
      height: tokens.height, width: tokens.width, channels: 3 * dimension)
    let tasks = PixelTasks(tokens.extent, threads: context.threads)
    context.parallel(tasks.count, scratch: tasks.longest * dimension) { task, scratch in
      let pixels = tasks.pixels(task)
      let first = pixels.lowerBound
      norm.apply(
        tokens.buffer.pointer + first * dimension, scratch, rows: pixels.count, context: context)
      queryKeyValue.multiply(
        scratch, stride: dimension, rows: pixels.count,
        output: output.buffer.pointer + first * output.channels, outputStride: output.channels)
    }
    return output
  }

  /// Every head's result, beside one another: dimension channels.
  private func attended(_ projected: FeatureMap, _ context: ComputeContext) -> FeatureMap {
    let output = context.map(
      height: projected.height, width: projected.width, channels: dimension)
    let cells = projected.pixels
    let bias = biases.tables(height: projected.height, width: projected.width)
    // A head's keys and values are packed for each of its tasks: no more tasks than share the work evenly.
    let parts = Self.parts(heads: heads, cells: cells, threads: context.threads)
    let scratchCount = kernels.attentionScratch(cells, cells, dimension / heads)
    context.parallel(heads * parts, scratch: scratchCount) { task, scratch in
      let (head, part) = task.quotientAndRemainder(dividingBy: parts)
      attend(
        head, of: projected.buffer.pointer, cells: cells,
        queries: part * cells / parts..<(part + 1) * cells / parts, bias: bias,
        output: output.buffer.pointer, scratch: scratch)
    }
    return output
  }

  /// Into how many parts the queries of each head are cut: the fewest that make the tasks a multiple of the threads.
  private static func parts(heads: Int, cells: Int, threads: Int) -> Int {
    let few = max(1, cells / 32)
    return (1...few).first { (heads * $0).isMultiple(of: threads) } ?? few
  }
}
