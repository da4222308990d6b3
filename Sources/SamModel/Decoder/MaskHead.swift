import KernelInterface
import SamTensor

/// The end of SAM's mask decoder: the image's cells upscaled four times, and a product with each mask's vector.
struct MaskHead: Sendable {
  /// C → C/4 at each of 2 × 2 sub-cells, then C/4 → C/8 at each of theirs.
  private let upscale1: PackedMatrix
  private let norm: LayerNormWeights
  private let upscale2: PackedMatrix
  private let hypernetworks: [MultilayerPerceptron]
  private let scores: MultilayerPerceptron
  private let dimension: Int
  let maskCount: Int

  /// Logits of one embedding cell: 4 × 4.
  static let cellLogits = 16

  /// Channels of the upscaled map.
  var channels: Int { dimension / 8 }

  /// Keys `output_upscaling`, `output_hypernetworks_mlps`, `iou_prediction_head`.
  init(
    _ scope: WeightScope, _ configuration: NetworkConfiguration.MaskDecoder, loader: LayerLoader
  ) throws(ModelError) {
    let dim = configuration.dim
    dimension = dim
    maskCount = configuration.maskTokens
    let upscaling = scope["output_upscaling"]
    upscale1 = try loader.upscaling(upscaling[0], dim, dim / 4)
    norm = try loader.layerNorm(upscaling[1], dim / 4, epsilon: 1e-6)
    upscale2 = try loader.upscaling(upscaling[3], dim / 4, dim / 8)
    var hypernetworks: [MultilayerPerceptron] = []
    for i in 0..<configuration.maskTokens {
      hypernetworks.append(
        try MultilayerPerceptron(
          scope["output_hypernetworks_mlps"][i], inputs: dim, hidden: dim, outputs: dim / 8,
          depth: 3, loader: loader))
    }
    self.hypernetworks = hypernetworks
    scores = try MultilayerPerceptron(
      scope["iou_prediction_head"], inputs: dim, hidden: dim, outputs: configuration.maskTokens,
      depth: 3, loader: loader)
  }

  /// Floats of scratch for `cells` cells: their upscaled form, and the larger of what upscaling and the product want.
  func scratchCount(cells: Int) -> Int {
    cells * (Self.cellLogits * channels + max(dimension, Self.cellLogits * maskCount))
  }

  /// Upscales whole grid rows.
  ///
  /// `result` takes 16 · channels floats for each cell, in the order (dy, dx, dy2, dx2): the
  /// logit at row 4y + 2dy + dy2, column 4x + 2dx + dx2.
  func upscale(
    _ cells: UnsafePointer<Float>, firstRow: Int, rows: Int, width: Int, skips: SkipConnections?,
    result: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>,
    _ context: ComputeContext
  ) {
    let count = rows * width
    let middle = dimension / 4
    upscale1.multiply(
      cells, stride: dimension, rows: count, output: scratch, outputStride: dimension)
    if let stride8 = skips?.stride8 {
      for cell in 0..<count {
        let (y, x) = (firstRow + cell / width, cell % width)
        for dy in 0..<2 {
          let target = scratch + cell * dimension + dy * 2 * middle
          context.kernels.add(target, stride8.pixel(2 * y + dy, 2 * x), target, 2 * middle)
        }
      }
    }
    norm.apply(scratch, scratch, rows: 4 * count, context: context)
    context.kernels.activate(.gelu, scratch, scratch, count * dimension)
    guard let stride4 = skips?.stride4 else {
      upscale2.multiply(
        scratch, stride: middle, rows: 4 * count, activation: .gelu, output: result,
        outputStride: upscale2.columns)
      return
    }
    upscale2.multiply(
      scratch, stride: middle, rows: 4 * count, output: result, outputStride: upscale2.columns)
    for cell in 0..<count {
      let (y, x) = (firstRow + cell / width, cell % width)
      for sub in 0..<4 {
        for dy in 0..<2 {
          let target = result + ((cell * 4 + sub) * 2 + dy) * 2 * channels
          let pixel = stride4.pixel(4 * y + 2 * (sub / 2) + dy, 4 * x + 2 * (sub % 2))
          context.kernels.add(target, pixel, target, 2 * channels)
        }
      }
    }
    context.kernels.activate(.gelu, result, result, count * Self.cellLogits * channels)
  }

  /// What one mask's product wants: the hypernetworks' vectors, packed, and the predicted IoUs.
  ///
  /// `tokens` are the transformer's results: the IoU token, then the mask tokens.
  func vectors(
    _ tokens: UnsafePointer<Float>, networks: Range<Int>, to vectors: FloatBuffer,
    scores predicted: FloatBuffer, _ context: ComputeContext
  ) {
    for i in networks {
      if i == maskCount {
        scores(tokens, output: predicted.pointer, context)
      } else {
        hypernetworks[i](
          tokens + (1 + i) * dimension, output: vectors.pointer + i * channels, context)
      }
    }
  }

  /// Logits of all masks for whole grid rows, out of the upscaled cells, into row-major maps of `4 · width` columns
  /// that are `mapSize` floats apart.
  func logits(
    _ upscaled: UnsafePointer<Float>, packedVectors: UnsafePointer<Float>, firstRow: Int,
    rows: Int, width: Int, logits: UnsafeMutablePointer<Float>, mapSize: Int,
    scratch: UnsafeMutablePointer<Float>, _ context: ComputeContext
  ) {
    let count = rows * width * Self.cellLogits
    context.kernels.matrix.multiply(
      MatrixCall(
        left: upscaled, leftStride: channels, rows: count, segmentLength: channels,
        right: .packed(packedVectors), columns: maskCount, output: scratch,
        outputStride: maskCount))
    let pitch = 4 * width
    for cell in 0..<rows * width {
      let corner = logits + 4 * (firstRow + cell / width) * pitch + 4 * (cell % width)
      for i in 0..<Self.cellLogits {
        let y = (i >> 3) * 2 + (i >> 1 & 1)
        let x = (i >> 2 & 1) * 2 + (i & 1)
        let target = corner + y * pitch + x
        let source = scratch + (cell * Self.cellLogits + i) * maskCount
        for mask in 0..<maskCount { target[mask * mapSize] = source[mask] }
      }
    }
  }
}

/// Lite's features that join the upscaling.
struct SkipConnections: Sendable {
  let stride4: FeatureMap
  let stride8: FeatureMap
}
