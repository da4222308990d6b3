import KernelInterface
import SamTensor

/// SamSwift Lite's image encoder: EfficientNet-Lite0 stages, an attention stage at stride 32, a top-down merge to
/// stride 16, SAM's neck, and two skip connections.
struct LiteEncoder: ImageEncoder {
  private let stem: PackedMatrix
  private let stages: [[InvertedBottleneck]]
  private let reduce: PackedMatrix
  private let attention: [TinyViTBlock]
  private let lateral32: PackedMatrix
  private let lateral16: PackedMatrix
  private let neck: Neck
  private let skip4: PackedMatrix
  private let skip8: PackedMatrix
  private let configuration: NetworkConfiguration.Lite

  /// Keys `stem`, `stages`, `reduce`, `vit`, `lateral32`, `lateral16`, `neck`, `conv_s0`, `conv_s1`.
  init(_ scope: WeightScope, _ configuration: NetworkConfiguration.Lite, loader: LayerLoader)
    throws(ModelError)
  {
    self.configuration = configuration
    let epsilon = configuration.batchNormEpsilon
    stem = try loader.foldedConvolution(
      scope["stem"], 3, configuration.stemChannels, epsilon: epsilon)
    var inputs = configuration.stemChannels
    var stages: [[InvertedBottleneck]] = []
    for (i, stage) in configuration.stages.enumerated() {
      var blocks: [InvertedBottleneck] = []
      for j in 0..<stage.blocks {
        blocks.append(
          try Self.block(
            scope["stages"][i][j], stage, inputs: inputs, isFirst: j == 0, epsilon: epsilon,
            loader: loader))
        inputs = stage.channels
      }
      stages.append(blocks)
    }
    self.stages = stages
    let vit = configuration.attention
    let dim = configuration.neckChannels
    reduce = try loader.foldedPointwise(scope["reduce"], inputs, vit.dim, epsilon: epsilon)
    var attention: [TinyViTBlock] = []
    for i in 0..<vit.blocks {
      attention.append(
        try TinyViTBlock(
          scope["vit"][i], dimension: vit.dim, heads: vit.heads, biasSide: vit.window,
          mlpRatio: vit.mlpRatio, layerNormEpsilon: vit.layerNormEpsilon,
          batchNormEpsilon: epsilon, loader: loader))
    }
    self.attention = attention
    let channels = configuration.stages.map(\.channels)
    lateral32 = try loader.pointwise(scope["lateral32"], vit.dim, dim)
    lateral16 = try loader.pointwise(
      scope["lateral16"], channels[configuration.lateralStage], dim)
    neck = try Neck(scope["neck"], inputs: dim, channels: dim, loader: loader)
    skip4 = try loader.pointwise(
      scope["conv_s0"], channels[configuration.highResStages[0]], dim / 8)
    skip8 = try loader.pointwise(
      scope["conv_s1"], channels[configuration.highResStages[1]], dim / 4)
  }

  private static func block(
    _ scope: WeightScope, _ stage: NetworkConfiguration.Lite.Stage, inputs: Int, isFirst: Bool,
    epsilon: Float, loader: LayerLoader
  ) throws(ModelError) -> InvertedBottleneck {
    let middle = inputs * stage.expansion
    let stride = isFirst ? stage.stride : 1
    return InvertedBottleneck(
      expand: stage.expansion == 1
        ? nil : try loader.foldedPointwise(scope["conv1"], inputs, middle, epsilon: epsilon),
      depthwise: try loader.foldedDepthwise(
        scope["conv2"], middle, size: stage.kernel, epsilon: epsilon),
      project: try loader.foldedPointwise(scope["conv3"], middle, stage.channels, epsilon: epsilon),
      stride: stride, innerActivation: .relu6,
      hasResidual: stride == 1 && inputs == stage.channels, outerActivation: .none)
  }

  func callAsFunction(
    _ frame: FeatureMap, picture: MapExtent, _ context: ComputeContext, observe: StageObserver
  ) throws(ModelError) -> ImageFeatures {
    var x = context.convolution3x3(frame, stem, stride: 2, activation: .relu6)
    try observe("stem", x)
    var outputs: [FeatureMap] = []
    for (i, stage) in stages.enumerated() {
      for block in stage { x = context.invertedBottleneck(x, block) }
      try observe("stage\(i)", x)
      outputs.append(x)
    }
    let stride4 = context.linear(outputs[configuration.highResStages[0]], skip4)
    let stride8 = context.linear(outputs[configuration.highResStages[1]], skip8)
    let stride16 = outputs[configuration.lateralStage]
    outputs = []
    x = context.linear(x, reduce)
    // Its frame has next to no padding.
    var reach: PictureReach?
    for block in attention {
      // One window over the whole grid.
      x = block(x, window: x.extent, reach: &reach, layer: "", context)
    }
    try observe("attention", x)
    let coarse = context.linear(x, lateral32)
    let merged = context.linear(
      stride16, lateral16, residual: context.resized(coarse, like: stride16))
    let embedding = neck(merged, context)
    try observe("neck", embedding)
    return ImageFeatures(embedding: embedding, stride4: stride4, stride8: stride8)
  }
}
