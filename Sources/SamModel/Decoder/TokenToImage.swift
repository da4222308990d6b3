import KernelInterface
import SamTensor

/// One round of tokens asking the image: folded queries, and a partial softmax for each chunk of image cells.
///
/// Each chunk keeps its maxima, sums and weighted sums of image rows; they are joined in the chunks' order, so the
/// result does not depend on the thread count.
final class TokenToImage: Sendable {
  private let attention: CrossAttention
  private let tokens: Int
  private let folded: FloatBuffer
  private let partials: FloatBuffer
  private let chunks: Int

  /// One column for each token and head.
  var columns: Int { tokens * attention.heads }

  /// Columns rounded up to whole vectors: the row stride of scores.
  var stride: Int { (columns + 15) / 16 * 16 }

  private var partialSize: Int { columns * (attention.dimension + 2) }

  /// Folds `queries`, `count × dimension` tokens with their positions added, into the key projection.
  init(
    _ attention: CrossAttention, queries: UnsafePointer<Float>, count: Int, chunks: Int,
    _ context: ComputeContext
  ) {
    self.attention = attention
    self.chunks = chunks
    tokens = count
    let projected = attention.project(queries, count: count, context)
    folded = attention.fold(projected.pointer, count: count, withBias: false, context)
    partials = context.pool.buffer(chunks * count * attention.heads * (attention.dimension + 2))
  }

  /// Floats of scratch that ``visit(_:keys:positioned:rows:scratch:_:)`` wants for `rows` cells.
  func scratchCount(rows: Int) -> Int { rows * stride }

  /// Takes in one chunk: `keys` are the image rows (values), `positioned` the same with positions added (keys).
  func visit(
    _ chunk: Int, keys: UnsafePointer<Float>, positioned: UnsafePointer<Float>, rows: Int,
    scratch scores: UnsafeMutablePointer<Float>, _ context: ComputeContext
  ) {
    let dimension = attention.dimension
    context.kernels.matrix.multiply(
      MatrixCall(
        left: positioned, leftStride: dimension, rows: rows, segmentLength: dimension,
        right: .packed(folded.pointer), columns: columns, output: scores, outputStride: stride))
    let maxima = partials.pointer + chunk * partialSize
    let sums = maxima + columns
    context.kernels.columnExponentials(scores, rows, columns, stride, maxima, sums)
    // The weights are used transposed: row (token, head), inner dimension the image cells.
    context.kernels.matrix.multiply(
      MatrixCall(
        left: scores, leftStride: 1, rows: columns, segmentLength: rows, innerStride: stride,
        right: .rows(keys, stride: dimension, bias: nil), columns: dimension,
        output: sums + columns, outputStride: dimension))
  }

  /// Joins the chunks and projects: `result = residual + attention`, `count × dimension`; may be in place.
  func finish(
    residual: UnsafePointer<Float>, result: UnsafeMutablePointer<Float>, _ context: ComputeContext
  ) {
    let dimension = attention.dimension
    let joined = context.pool.buffer(columns * dimension + tokens * attention.inner)
    for column in 0..<columns { join(column, into: joined.pointer + column * dimension) }
    let values = joined.pointer + columns * dimension
    for head in 0..<attention.heads {
      attention.valueByHead[head].multiply(
        joined.pointer + head * dimension, stride: attention.heads * dimension, rows: tokens,
        output: values + head * attention.depth, outputStride: attention.inner)
    }
    attention.output.multiply(
      values, stride: attention.inner, rows: tokens, residual: residual,
      residualStride: dimension, output: result, outputStride: dimension)
    withExtendedLifetime(joined) {}
  }

  private func join(_ column: Int, into output: UnsafeMutablePointer<Float>) {
    let dimension = attention.dimension
    var largest = -Float.infinity
    for chunk in 0..<chunks {
      largest = max(largest, partials.pointer[chunk * partialSize + column])
    }
    var total: Float = 0
    output.update(repeating: 0, count: dimension)
    for chunk in 0..<chunks {
      let part = partials.pointer + chunk * partialSize
      let weight = exponential(part[column] - largest)
      total += weight * part[columns + column]
      let sums = part + 2 * columns + column * dimension
      for d in 0..<dimension { output[d] += weight * sums[d] }
    }
    let scale = 1 / total
    for d in 0..<dimension { output[d] *= scale }
  }
}
