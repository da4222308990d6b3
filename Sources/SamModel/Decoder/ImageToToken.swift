import Foundation
import KernelInterface
import SamTensor

/// One round of the image asking the tokens, folded: every image cell is updated in place.
final class ImageToToken: Sendable {
  private let attention: CrossAttention
  private let norm: LayerNormWeights
  private let tokens: Int
  private let folded: FloatBuffer
  /// (token, head) × dimension: the tokens' values through the output projection.
  private let values: FloatBuffer

  private var columns: Int { tokens * attention.heads }
  private var stride: Int { (columns + 15) / 16 * 16 }

  /// Folds the tokens into the projections.
  ///
  /// `keys` are the tokens with their positions added, `tokens` the tokens themselves, both `count × dimension`.
  init(
    _ attention: CrossAttention, norm: LayerNormWeights, keys: UnsafePointer<Float>,
    tokens: UnsafePointer<Float>, count: Int, _ context: ComputeContext
  ) {
    self.attention = attention
    self.norm = norm
    self.tokens = count
    let projected = attention.project(keys, count: count, context)
    folded = attention.fold(projected.pointer, count: count, withBias: true, context)
    let (inner, dimension, depth) = (attention.inner, attention.dimension, attention.depth)
    let projectedValues = context.pool.buffer(count * inner)
    attention.tokenValue.multiply(
      tokens, stride: dimension, rows: count, output: projectedValues.pointer, outputStride: inner)
    values = context.pool.buffer(count * attention.heads * dimension)
    for head in 0..<attention.heads {
      let o = head * depth
      context.kernels.matrix.multiply(
        MatrixCall(
          left: projectedValues.pointer + o, leftStride: inner, rows: count, segmentLength: depth,
          right: .rows(
            attention.outputTransposed.pointer + o * dimension, stride: dimension, bias: nil),
          columns: dimension, output: values.pointer + head * dimension,
          outputStride: attention.heads * dimension))
    }
    withExtendedLifetime((projected, projectedValues)) {}
  }

  func scratchCount(rows: Int) -> Int { rows * stride }

  /// `result = norm(image + attention)` for one chunk; `positioned` are the image rows with positions added.
  func update(
    _ image: UnsafePointer<Float>, positioned: UnsafePointer<Float>, rows: Int,
    result: UnsafeMutablePointer<Float>, scratch scores: UnsafeMutablePointer<Float>,
    _ context: ComputeContext
  ) {
    let dimension = attention.dimension
    context.kernels.matrix.multiply(
      MatrixCall(
        left: positioned, leftStride: dimension, rows: rows, segmentLength: dimension,
        right: .packed(folded.pointer), columns: columns, output: scores, outputStride: stride))
    context.kernels.groupedSoftmax(scores, rows, tokens, attention.heads, stride)
    context.kernels.matrix.multiply(
      MatrixCall(
        left: scores, leftStride: stride, rows: rows, segmentLength: columns,
        right: .rows(values.pointer, stride: dimension, bias: attention.outputBias.pointer),
        columns: dimension, residual: image, residualStride: dimension, output: result,
        outputStride: dimension))
    norm.apply(result, result, rows: rows, context: context)
  }
}

/// e^x; here so that files without Foundation's overloads can use it.
func exponential(_ x: Float) -> Float { exp(x) }
