import KernelInterface
import SamTensor

/// The weights of attention between a prompt's tokens and the image, as both directions use them.
///
/// There are few tokens and many image cells, so the projections on the image's side are never applied to the
/// image: scores are `(W·x)·t = x·(Wᵀ·t)`, and a weighted sum of projected values is the projection of the
/// weighted sum. With 7 tokens of 8 heads that is 56 columns instead of 128 for each of the products over the
/// image, and the biases of the image's keys fall out of the softmax.
struct CrossAttention: Sendable {
  let dimension: Int
  let heads: Int
  /// Channels inside: dimension ÷ downsampling.
  let inner: Int
  /// Of the token side, in the direction that the weights serve.
  let tokenQuery: PackedMatrix
  let tokenValue: PackedMatrix
  let output: PackedMatrix
  /// Row-major (inner × dimension): the image side's query or key projection, per head a block of rows.
  let imageWeight: FloatBuffer
  let imageBias: FloatBuffer
  /// Row-major (inner × dimension): the output projection transposed.
  let outputTransposed: FloatBuffer
  let outputBias: FloatBuffer
  /// The value projection by head: dimension × inner/heads each.
  let valueByHead: [PackedMatrix]

  var depth: Int { inner / heads }
  var scale: Float { 1 / Float(depth).squareRoot() }

  /// Which side asks.
  enum Direction {
    /// Queries are tokens, keys and values the image.
    case tokenToImage
    /// Queries are the image, keys and values tokens.
    case imageToToken
  }

  init(
    _ scope: WeightScope, _ direction: Direction, dimension: Int, heads: Int, downsample: Int,
    loader: LayerLoader
  ) throws(ModelError) {
    self.dimension = dimension
    self.heads = heads
    let inner = dimension / downsample
    self.inner = inner
    let isTokenQuery = direction == .tokenToImage
    let tokenScope = scope[isTokenQuery ? "q_proj" : "k_proj"]
    let imageScope = scope[isTokenQuery ? "k_proj" : "q_proj"]
    tokenQuery = try loader.linear(tokenScope, dimension, inner)
    tokenValue = try loader.linear(scope["v_proj"], dimension, inner)
    output = try loader.linear(scope["out_proj"], inner, dimension)
    imageWeight = FloatBuffer(try imageScope.floats("weight", inner, dimension))
    imageBias = FloatBuffer(try imageScope.floats("bias", inner))

    let out = try scope["out_proj"].floats("weight", dimension, inner)
    outputTransposed = FloatBuffer(count: inner * dimension)
    for i in 0..<inner {
      for d in 0..<dimension { outputTransposed.pointer[i * dimension + d] = out[d * inner + i] }
    }
    outputBias = FloatBuffer(try scope["out_proj"].floats("bias", dimension))

    let value = try scope["v_proj"].floats("weight", inner, dimension)
    let valueBias = try scope["v_proj"].floats("bias", inner)
    let depth = inner / heads
    valueByHead = (0..<heads).map { head in
      PackedMatrix(
        Array(value[head * depth * dimension..<(head + 1) * depth * dimension]),
        inner: dimension, columns: depth, innerStride: 1, columnStride: dimension,
        bias: Array(valueBias[head * depth..<(head + 1) * depth]), kernels: loader.kernels)
    }
  }

  /// The tokens folded into the image side's projection, packed for a product with image rows: dimension × columns,
  /// column `token · heads + head`.
  func fold(
    _ projectedTokens: UnsafePointer<Float>, count: Int, withBias: Bool, _ context: ComputeContext
  ) -> FloatBuffer {
    let columns = count * heads
    let folded = context.pool.buffer(columns * dimension + columns)
    let bias = folded.pointer + columns * dimension
    for head in 0..<heads {
      let o = head * depth
      context.kernels.matrix.multiply(
        MatrixCall(
          left: projectedTokens + o, leftStride: inner, rows: count, segmentLength: depth,
          right: .rows(imageWeight.pointer + o * dimension, stride: dimension, bias: nil),
          columns: dimension, output: folded.pointer + head * dimension,
          outputStride: heads * dimension))
      for t in 0..<count {
        var sum: Float = 0
        if withBias {
          for d in 0..<depth {
            sum += imageBias.pointer[o + d] * projectedTokens[t * inner + o + d]
          }
        }
        bias[t * heads + head] = sum
      }
    }
    let matrix = context.kernels.matrix
    let packed = context.pool.buffer(matrix.packedCount(dimension, columns))
    matrix.pack(folded.pointer, 1, dimension, dimension, columns, bias, packed.pointer)
    withExtendedLifetime(folded) {}
    return packed
  }

  /// Scaled projections of the tokens that ask or are asked: count × inner.
  func project(
    _ tokens: UnsafePointer<Float>, count: Int, _ context: ComputeContext
  ) -> FloatBuffer {
    let projected = context.pool.buffer(count * inner)
    tokenQuery.multiply(
      tokens, stride: dimension, rows: count, output: projected.pointer, outputStride: inner)
    let values = projected.pointer
    for i in 0..<count * inner { values[i] *= scale }
    return projected
  }
}
