import KernelInterface
import SamTensor

/// Self-attention among a prompt's tokens.
struct SelfAttention: Sendable {
  private let query: PackedMatrix
  private let key: PackedMatrix
  private let value: PackedMatrix
  private let output: PackedMatrix
  private let heads: Int
  private let dimension: Int

  init(_ scope: WeightScope, dimension: Int, heads: Int, loader: LayerLoader) throws(ModelError) {
    self.dimension = dimension
    self.heads = heads
    query = try loader.linear(scope["q_proj"], dimension, dimension)
    key = try loader.linear(scope["k_proj"], dimension, dimension)
    value = try loader.linear(scope["v_proj"], dimension, dimension)
    output = try loader.linear(scope["out_proj"], dimension, dimension)
  }

  /// `result = residual + attention(positioned, positioned, tokens)` over `count` tokens of `dimension` floats.
  func callAsFunction(
    positioned: UnsafePointer<Float>, tokens: UnsafePointer<Float>,
    residual: UnsafePointer<Float>?, count: Int, result: UnsafeMutablePointer<Float>,
    _ context: ComputeContext
  ) {
    let size = count * dimension
    let depth = dimension / heads
    let scratchCount = context.kernels.matrix.attentionScratch(count, count, depth)
    let buffer = context.pool.buffer(4 * size + scratchCount)
    let q = buffer.pointer
    let (k, v, attended, scratch) = (q + size, q + 2 * size, q + 3 * size, q + 4 * size)
    query.multiply(positioned, stride: dimension, rows: count, output: q, outputStride: dimension)
    key.multiply(positioned, stride: dimension, rows: count, output: k, outputStride: dimension)
    value.multiply(tokens, stride: dimension, rows: count, output: v, outputStride: dimension)
    for head in 0..<heads {
      let o = head * depth
      context.kernels.matrix.attention(
        AttentionCall(
          query: q + o, queryStride: dimension, queries: count, key: k + o, keyStride: dimension,
          value: v + o, valueStride: dimension, keys: count, dimension: depth,
          scale: 1 / Float(depth).squareRoot(), bias: nil, output: attended + o,
          outputStride: dimension, scratch: scratch))
    }
    output.multiply(
      attended, stride: dimension, rows: count, residual: residual, residualStride: dimension,
      output: result, outputStride: dimension)
    withExtendedLifetime(buffer) {}
  }
}

/// A stack of linear layers with ReLU between; SAM's `MLP`.
struct MultilayerPerceptron: Sendable {
  private let layers: [PackedMatrix]

  /// Keys `layers.0` and so on.
  init(
    _ scope: WeightScope, inputs: Int, hidden: Int, outputs: Int, depth: Int, loader: LayerLoader
  ) throws(ModelError) {
    var layers: [PackedMatrix] = []
    for i in 0..<depth {
      layers.append(
        try loader.linear(
          scope["layers"][i], i == 0 ? inputs : hidden, i == depth - 1 ? outputs : hidden))
    }
    self.layers = layers
  }

  /// One row in, one row out.
  func callAsFunction(
    _ input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, _ context: ComputeContext
  ) {
    let widest = layers.map(\.columns).max() ?? 0
    let buffer = context.pool.buffer(2 * widest)
    var source = input
    for (i, layer) in layers.enumerated() {
      let isLast = i == layers.count - 1
      let target = isLast ? output : buffer.pointer + i % 2 * widest
      layer.multiply(
        source, stride: layer.inner, rows: 1, activation: isLast ? .none : .relu, output: target,
        outputStride: layer.columns)
      source = UnsafePointer(target)
    }
    withExtendedLifetime(buffer) {}
  }
}
