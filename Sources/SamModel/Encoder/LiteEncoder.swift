import KernelInterface
import SamTensor

/// SamSwift Lite's image encoder: EfficientNet-Lite0 stages, an attention stage at stride 32, a top-down merge to
/// stride 16, SAM's neck, and two skip connections.
struct LiteEncoder: ImageEncoder {
  private let stem: PackedMatrix
  private let stages: [[InvertedBottleneck]]
  /// nil where the last stage's projection does its work too.
  private let reduce: PackedMatrix?
  private let attention: [TinyViTBlock]
  private let lateral32: PackedMatrix
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
    let vit = configuration.attention
    let reduce = try loader.foldedPointwiseWeights(
      scope["reduce"], configuration.stages.last?.channels ?? inputs, vit.dim, epsilon: epsilon)
    var stages: [[InvertedBottleneck]] = []
    var isReduced = false
    for (i, stage) in configuration.stages.enumerated() {
      var blocks: [InvertedBottleneck] = []
      for j in 0..<stage.blocks {
        let isLast = i == configuration.stages.count - 1 && j == stage.blocks - 1
        let block = BlockShape(stage, inputs: inputs, isFirst: j == 0)
        // A projection to which nothing is added leads straight into the reduction.
        isReduced = isLast && !block.hasResidual && configuration.lateralStage != i
        blocks.append(
          try Self.block(
            scope["stages"][i][j], block, before: isReduced ? reduce : nil, epsilon: epsilon,
            loader: loader))
        inputs = stage.channels
      }
      stages.append(blocks)
    }
    self.stages = stages
    self.reduce = isReduced ? nil : loader.pack(reduce)
    let dim = configuration.neckChannels
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
    // Nothing but sums and interpolation lies between the laterals and the neck's 1×1 convolution, which therefore
    // goes into both.
    let neckPointwise = try loader.pointwiseWeights(scope["neck"][0], dim, dim, hasBias: false)
    lateral32 = loader.pack(
      try loader.pointwiseWeights(scope["lateral32"], vit.dim, dim)
        .followed(by: neckPointwise, kernels: loader.exact))
    neck = try Neck(
      scope["neck"], inputs: dim, channels: dim,
      before: try loader.pointwiseWeights(
        scope["lateral16"], channels[configuration.lateralStage], dim),
      loader: loader)
    skip4 = try loader.pointwise(
      scope["conv_s0"], channels[configuration.highResStages[0]], dim / 8)
    skip8 = try loader.pointwise(
      scope["conv_s1"], channels[configuration.highResStages[1]], dim / 4)
  }

  /// `before` is a 1×1 convolution that the block's result goes through alone.
  private static func block(
    _ scope: WeightScope, _ shape: BlockShape, before next: PointwiseWeights?, epsilon: Float,
    loader: LayerLoader
  ) throws(ModelError) -> InvertedBottleneck {
    let project = try loader.foldedPointwiseWeights(
      scope["conv3"], shape.middle, shape.outputs, epsilon: epsilon)
    return InvertedBottleneck(
      expand: shape.middle == shape.inputs
        ? nil
        : try loader.foldedPointwise(scope["conv1"], shape.inputs, shape.middle, epsilon: epsilon),
      depthwise: try loader.foldedDepthwise(
        scope["conv2"], shape.middle, size: shape.kernel, epsilon: epsilon),
      project: loader.pack(
        next.map { project.followed(by: $0, kernels: loader.exact) } ?? project),
      stride: shape.stride, innerActivation: .relu6, hasResidual: shape.hasResidual,
      outerActivation: .none)
  }

  func callAsFunction(
    _ frame: FeatureMap, picture: MapExtent, _ context: ComputeContext, observe: StageObserver
  ) throws(ModelError) -> ImageFeatures {
    var x = context.convolution3x3(frame, stem, stride: 2, activation: .relu6)
    try observe("stem", x)
    var outputs: [FeatureMap] = []
    for (i, stage) in stages.enumerated() {
      for block in stage { x = context.invertedBottleneck(x, block) }
      if i < stages.count - 1 || reduce != nil { try observe("stage\(i)", x) }
      outputs.append(x)
    }
    let stride4 = context.linear(outputs[configuration.highResStages[0]], skip4)
    let stride8 = context.linear(outputs[configuration.highResStages[1]], skip8)
    let stride16 = outputs[configuration.lateralStage]
    outputs = []
    if let reduce { x = context.linear(x, reduce) }
    try observe("reduce", x)
    // Its frame has next to no padding.
    var reach: PictureReach?
    for block in attention {
      // One window over the whole grid.
      x = block(x, window: x.extent, reach: &reach, layer: "", context)
    }
    try observe("attention", x)
    let coarse = context.linear(x, lateral32)
    let embedding = neck(stride16, residual: context.resized(coarse, like: stride16), context)
    try observe("neck", embedding)
    return ImageFeatures(embedding: embedding, stride4: stride4, stride8: stride8)
  }
}

/// The sizes of one block of an EfficientNet stage.
private struct BlockShape {
  let inputs: Int
  /// Channels of the depthwise convolution.
  let middle: Int
  let outputs: Int
  let kernel: Int
  let stride: Int

  init(_ stage: NetworkConfiguration.Lite.Stage, inputs: Int, isFirst: Bool) {
    self.inputs = inputs
    middle = inputs * stage.expansion
    outputs = stage.channels
    kernel = stage.kernel
    stride = isFirst ? stage.stride : 1
  }

  var hasResidual: Bool { stride == 1 && inputs == outputs }
}
