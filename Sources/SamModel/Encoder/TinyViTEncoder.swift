import KernelInterface
import SamTensor

/// MobileSAM's image encoder: TinyViT-5M and SAM's neck.
struct TinyViTEncoder: ImageEncoder {
  private let patchEmbedding1: PackedMatrix
  private let patchEmbedding2: PackedMatrix
  private let blocks0: [InvertedBottleneck]
  private let stages: [Stage]
  private let neck: Neck
  private let kept = PictureReachStore()

  /// A downsampling and the attention blocks after it.
  private struct Stage: Sendable {
    let merge: InvertedBottleneck
    let blocks: [TinyViTBlock]
    let window: Int
  }

  /// Keys `patch_embed`, `layers`, `neck`.
  init(_ scope: WeightScope, _ configuration: NetworkConfiguration.TinyViT, loader: LayerLoader)
    throws(ModelError)
  {
    let epsilon = configuration.batchNormEpsilon
    let dimensions = configuration.dimensions
    let patches = scope["patch_embed"]["seq"]
    patchEmbedding1 = try loader.foldedConvolution(
      patches[0], 3, dimensions[0] / 2, epsilon: epsilon)
    patchEmbedding2 = try loader.foldedConvolution(
      patches[2], dimensions[0] / 2, dimensions[0], epsilon: epsilon)

    let layers = scope["layers"]
    var convolutional: [InvertedBottleneck] = []
    for i in 0..<configuration.depths[0] {
      convolutional.append(
        try Self.bottleneck(
          layers[0]["blocks"][i], inputs: dimensions[0],
          middle: dimensions[0] * configuration.expansion, outputs: dimensions[0], stride: 1,
          isBlock: true, epsilon: epsilon, loader: loader))
    }
    blocks0 = convolutional

    var stages: [Stage] = []
    for i in 1..<4 {
      let merge = try Self.bottleneck(
        layers[i - 1]["downsample"], inputs: dimensions[i - 1], middle: dimensions[i],
        outputs: dimensions[i], stride: configuration.mergeStrides[i - 1], isBlock: false,
        epsilon: epsilon, loader: loader)
      var blocks: [TinyViTBlock] = []
      for j in 0..<configuration.depths[i] {
        blocks.append(
          try TinyViTBlock(
            layers[i]["blocks"][j], dimension: dimensions[i], heads: configuration.heads[i],
            biasSide: configuration.windows[i], mlpRatio: configuration.mlpRatio,
            layerNormEpsilon: configuration.layerNormEpsilon, batchNormEpsilon: epsilon,
            loader: loader))
      }
      stages.append(Stage(merge: merge, blocks: blocks, window: configuration.windows[i]))
    }
    self.stages = stages
    neck = try Neck(
      scope["neck"], inputs: dimensions[3], channels: configuration.neckChannels, loader: loader)
  }

  /// MBConv (`isBlock`: residual, then GELU) or patch merging (neither).
  private static func bottleneck(
    _ scope: WeightScope, inputs: Int, middle: Int, outputs: Int, stride: Int, isBlock: Bool,
    epsilon: Float, loader: LayerLoader
  ) throws(ModelError) -> InvertedBottleneck {
    InvertedBottleneck(
      expand: try loader.foldedPointwise(scope["conv1"], inputs, middle, epsilon: epsilon),
      depthwise: try loader.foldedDepthwise(scope["conv2"], middle, size: 3, epsilon: epsilon),
      project: try loader.foldedPointwise(scope["conv3"], middle, outputs, epsilon: epsilon),
      stride: stride, innerActivation: .gelu, hasResidual: isBlock,
      outerActivation: isBlock ? .gelu : .none)
  }

  func callAsFunction(
    _ frame: FeatureMap, picture: MapExtent, _ context: ComputeContext, observe: StageObserver
  ) throws(ModelError) -> ImageFeatures {
    var reach = PictureReach(frame: frame, picture: picture, known: kept.lines)
    var x = embedPatches(frame, &reach, context)
    try observe("patch_embed", x)
    for (i, block) in blocks0.enumerated() {
      reach?.settle(x, "layer0_block\(i)", count: 2)
      x = bottleneck(x, block, &reach, context)
      try observe("layer0_block\(i)", x)
    }
    for (i, stage) in stages.enumerated() {
      reach?.settle(x, "merge\(i)", count: 3)
      x = bottleneck(x, stage.merge, &reach, context)
      if i == Self.lastLocalMerge { finish(x, &reach) }
      try observe("layer\(i)", x)
      for (j, block) in stage.blocks.enumerated() {
        let window = MapExtent(height: stage.window, width: stage.window)
        let layer = "layer\(i + 1)_block\(j)"
        x = block(x, window: window, reach: &reach, layer: layer, context)
        try observe(layer, x)
      }
    }
    try observe("layer\(stages.count)", x)
    let embedding = neck(x, context)
    try observe("neck", embedding)
    return ImageFeatures(embedding: embedding, stride4: nil, stride8: nil)
  }

  /// The downsampling after which the picture is felt nearly everywhere: from there on all is computed.
  private static let lastLocalMerge = 1

  /// Fills `x` up with what this shape of picture always has there, and ends the saving.
  private func finish(_ x: FeatureMap, _ reach: inout PictureReach?) {
    reach?.settle(x, "rest", count: max(x.height, x.width))
    if let reach { kept.keep(reach) }
    reach = nil
  }

  private func bottleneck(
    _ x: FeatureMap, _ block: InvertedBottleneck, _ reach: inout PictureReach?,
    _ context: ComputeContext
  ) -> FeatureMap {
    let (height, width) = ((x.height - 1) / block.stride + 1, (x.width - 1) / block.stride + 1)
    reach?.convolve(stride: block.stride, height: height, width: width)
    return context.invertedBottleneck(
      x, block, part: reach?.extent(height: height, width: width))
  }

  /// Two 3×3 convolutions of stride 2 with GELU between, a few rows at a time: the map between them, the
  /// network's largest, exists only as those rows.
  private func embedPatches(
    _ frame: FeatureMap, _ reach: inout PictureReach?, _ context: ComputeContext
  ) -> FeatureMap {
    let middleWidth = (frame.width - 1) / 2 + 1
    let middleHeight = (frame.height - 1) / 2 + 1
    let (height, width) = ((middleHeight - 1) / 2 + 1, (middleWidth - 1) / 2 + 1)
    reach?.convolve(stride: 2, height: middleHeight, width: middleWidth)
    reach?.convolve(stride: 2, height: height, width: width)
    let part =
      reach?.extent(height: height, width: width) ?? MapExtent(height: height, width: width)
    let columns = min(middleWidth, 2 * part.width + 1)

    let channels = patchEmbedding1.columns
    let output = context.map(height: height, width: width, channels: patchEmbedding2.columns)
    let band = 4
    let pitch = (middleWidth + 2) * channels
    context.parallel((part.height + band - 1) / band, scratch: (2 * band + 1) * pitch) {
      task, scratch in
      let first = task * band
      let rows = min(band, part.height - first)
      for r in 0..<2 * rows + 1 {
        let y = 2 * first - 1 + r
        let row = scratch + r * pitch
        guard y >= 0, y < middleHeight else {
          row.update(repeating: 0, count: pitch)
          continue
        }
        row.update(repeating: 0, count: channels)
        (row + pitch - channels).update(repeating: 0, count: channels)
        context.convolutionRow(
          frame.pixel(2 * y - 1, -1), pitch: frame.pitch, channels: 3, patchEmbedding1, stride: 2,
          activation: .gelu, output: row + channels, width: columns)
      }
      for r in 0..<rows {
        context.convolutionRow(
          scratch + 2 * r * pitch, pitch: pitch, channels: channels, patchEmbedding2, stride: 2,
          activation: .none, output: output.pixel(first + r, 0), width: part.width)
      }
    }
    return output
  }
}
