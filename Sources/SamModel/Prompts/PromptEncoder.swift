import KernelInterface
import SamTensor

/// What the decoder gets of one prompt.
struct EncodedPrompt: Sendable {
  /// `count × dimension`: points, then box corners or the padding token.
  let tokens: FloatBuffer
  let count: Int
  let dense: Dense
  /// What is added to the stride-4 features (Lite).
  let stride4: FeatureMap?

  /// Added to the image embedding.
  enum Dense: Sendable {
    /// The same vector everywhere: SAM's "no mask".
    case constant(FloatBuffer)
    case map(FeatureMap)
  }
}

/// SAM's prompt encoder, with Lite's dense prompt map where the model has one.
struct PromptEncoder: Sendable {
  private let dimension: Int
  let positions: PositionEncoding
  private let frameSize: Float
  private let pointEmbeddings: [[Float]]
  private let notAPoint: [Float]
  private let noMask: FloatBuffer?
  private let downscale1: PackedMatrix
  private let norm1: LayerNormWeights
  private let downscale2: PackedMatrix
  private let norm2: LayerNormWeights
  private let downscale3: PackedMatrix
  private let densePrompt: DensePromptMap?
  private let stride4: PackedMatrix?

  init(
    _ scope: WeightScope, _ configuration: NetworkConfiguration.PromptEncoder, frameSize: Int,
    loader: LayerLoader
  ) throws(ModelError) {
    let dim = configuration.dim
    let channels = configuration.maskChannels
    dimension = dim
    self.frameSize = Float(frameSize)
    positions = try PositionEncoding(scope, dimension: dim)
    var embeddings: [[Float]] = []
    for i in 0..<4 {
      embeddings.append(try scope["point_embeddings"][i].floats("weight", 1, dim))
    }
    pointEmbeddings = embeddings
    notAPoint = try scope["not_a_point_embed"].floats("weight", 1, dim)
    densePrompt = configuration.densePrompt.map {
      DensePromptMap(gaussianDenominator: $0.gaussianDenominator)
    }
    let inputs = densePrompt == nil ? 1 : 4
    let middle = densePrompt == nil ? channels / 4 : channels / 2
    noMask =
      densePrompt == nil
      ? FloatBuffer(try scope["no_mask_embed"].floats("weight", 1, dim)) : nil
    let downscaling = scope["mask_downscaling"]
    downscale1 = try loader.convolution(downscaling[0], inputs, middle, size: 2, hasBias: true)
    norm1 = try loader.layerNorm(downscaling[1], middle, epsilon: 1e-6)
    downscale2 = try loader.convolution(downscaling[3], middle, channels, size: 2, hasBias: true)
    norm2 = try loader.layerNorm(downscaling[4], channels, epsilon: 1e-6)
    downscale3 = try loader.pointwise(downscaling[6], channels, dim)
    stride4 =
      densePrompt == nil ? nil : try loader.pointwise(scope["prompt_s0"], inputs, dim / 8)
  }

  /// Encodes one prompt on the picture that `geometry` describes.
  func callAsFunction(
    _ prompt: FramePrompt, geometry: FrameGeometry, _ context: ComputeContext
  ) -> EncodedPrompt {
    let (tokens, count) = encodeTokens(prompt, context)
    let (height, width) = (geometry.gridHeight, geometry.gridWidth)
    if let densePrompt {
      let map = densePrompt(
        prompt, height: height, width: width, stride: Float(geometry.maskStride), context)
      return EncodedPrompt(
        tokens: tokens, count: count, dense: .map(downscale(map, context)),
        stride4: stride4.map { context.linear(map, $0) })
    }
    if let previous = prompt.previous {
      let map = context.map(height: height, width: width, channels: 1)
      for (i, value) in previous.values.enumerated() { map.buffer.pointer[i] = value }
      return EncodedPrompt(
        tokens: tokens, count: count, dense: .map(downscale(map, context)), stride4: nil)
    }
    guard let noMask else { preconditionFailure("a model has a dense prompt or a no-mask vector") }
    return EncodedPrompt(tokens: tokens, count: count, dense: .constant(noMask), stride4: nil)
  }

  /// Points, then the box's corners; a padding token (its position zeroed) only where there is no box.
  private func encodeTokens(
    _ prompt: FramePrompt, _ context: ComputeContext
  ) -> (FloatBuffer, Int) {
    let count = prompt.points.count + (prompt.box == nil ? 1 : 2)
    let tokens = context.pool.buffer(count * dimension)
    var token = tokens.pointer
    func append(x: Float, y: Float, label: Int) {
      positions.write(x: (x + 0.5) / frameSize, y: (y + 0.5) / frameSize, to: token)
      for (i, value) in pointEmbeddings[label].enumerated() { token[i] += value }
      token += dimension
    }
    for point in prompt.points { append(x: point.x, y: point.y, label: point.isIncluded ? 1 : 0) }
    if let box = prompt.box {
      append(x: box.x0, y: box.y0, label: 2)
      append(x: box.x1, y: box.y1, label: 3)
    } else {
      for (i, value) in notAPoint.enumerated() { token[i] = value }
    }
    return (tokens, count)
  }

  private func downscale(_ map: FeatureMap, _ context: ComputeContext) -> FeatureMap {
    let half = context.convolution2x2(map, downscale1)
    normalise(half, norm1, context)
    let quarter = context.convolution2x2(half, downscale2)
    normalise(quarter, norm2, context)
    return context.linear(quarter, downscale3)
  }

  /// LayerNorm2d and GELU, in place.
  private func normalise(
    _ map: FeatureMap, _ norm: LayerNormWeights, _ context: ComputeContext
  ) {
    context.parallel(map.height) { y in
      let row = map.pixel(y, 0)
      norm.apply(row, row, rows: map.width, context: context)
      context.kernels.activate(.gelu, row, row, map.width * map.channels)
    }
  }
}
