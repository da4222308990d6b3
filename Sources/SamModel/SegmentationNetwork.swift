import KernelInterface
import SamCheckpoint
import SamTensor
import Synchronization

/// A promptable segmentation network: encodes a picture once, decodes prompts many times.
///
/// Safe to use from several tasks at once.
package final class SegmentationNetwork: Sendable {
  /// Every dimension of the network.
  package let configuration: NetworkConfiguration
  /// Tells its weights from others of the same shape.
  package let fingerprint: Fingerprint
  /// What it runs on.
  package let context: ComputeContext
  /// What the encoder's products are computed in: `.float32` or `.bfloat16`.
  package let precision: NetworkOptions.Precision
  private let preprocessor: ImagePreprocessor
  private let encoder: any ImageEncoder
  private let promptEncoder: PromptEncoder
  private let maskDecoder: MaskDecoder
  private let encodes = Atomic<Int>(0)

  /// Builds the network from a checkpoint; every key is consumed or named in an error.
  ///
  /// Cost: reads and packs every weight once; 40 MB for MobileSAM.
  package init(
    checkpoint: any Checkpoint, options: NetworkOptions = NetworkOptions()
  ) throws(ModelError) {
    let configuration = try NetworkConfiguration(of: checkpoint)
    self.configuration = configuration
    fingerprint = checkpoint.fingerprint
    context = ComputeContext(
      kernels: options.kernels ?? Kernels.current, threads: options.threads)
    let loader = LayerLoader(kernels: context.kernels.matrix, exact: context.kernels.matrix)
    let encoderMatrix = Self.encoderKernels(options.precision, context.kernels)
    precision = encoderMatrix.name == "bfloat16" ? .bfloat16 : .float32
    let encoderLoader = LayerLoader(kernels: encoderMatrix, exact: context.kernels.matrix)
    let reader = WeightReader(checkpoint)
    let root = WeightScope(reader)
    preprocessor = ImagePreprocessor(configuration)
    switch configuration.encoder {
    case .tinyViT(let vit):
      encoder = try TinyViTEncoder(root["image_encoder"], vit, loader: encoderLoader)
      // TinyViT's classifier travels with the published weights; segmentation does not use it.
      reader.ignore {
        $0.hasPrefix("image_encoder.head.") || $0.hasPrefix("image_encoder.norm_head.")
      }
    case .lite(let lite):
      encoder = try LiteEncoder(root["image_encoder"], lite, loader: encoderLoader)
    }
    reader.ignore { $0.hasSuffix(".num_batches_tracked") }
    promptEncoder = try PromptEncoder(
      root["prompt_encoder"], configuration.promptEncoder, frameSize: configuration.frameSize,
      loader: loader)
    maskDecoder = try MaskDecoder(root["mask_decoder"], configuration.maskDecoder, loader: loader)
    try reader.checkAllConsumed()
  }

  /// The encoder's matrix products: bfloat16 halves their time where the CPU has it.
  ///
  /// The decoder stays in float32: it is short, and its logits are the result.
  private static func encoderKernels(
    _ precision: NetworkOptions.Precision, _ kernels: KernelTable
  ) -> MatrixKernels {
    switch precision {
    case .float32: kernels.matrix
    case .automatic, .bfloat16: Kernels.bfloat16(kernels) ?? kernels.matrix
    }
  }

  /// Computes the embedding of a picture.
  ///
  /// `isCancelled` is asked between stages.
  ///
  /// - Throws: ``ModelError/cancelled``, ``ModelError/badPicture``.
  package func encode(
    _ picture: Picture, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(ModelError) -> ImageEmbedding {
    let (frame, geometry) = try frame(picture)
    return try encode(frame: frame, geometry: geometry, StageObserver(isCancelled: isCancelled))
  }

  /// The normalised, padded frame that the encoder sees, with a zero border of 1.
  package func frame(_ picture: Picture) throws(ModelError) -> (FeatureMap, FrameGeometry) {
    guard picture.width > 0, picture.height > 0 else {
      throw .badPicture(
        reason: "it has no pixels: its size is \(picture.width) × \(picture.height)")
    }
    let geometry = configuration.geometry(
      imageWidth: picture.width, imageHeight: picture.height)
    let frame = context.map(
      height: geometry.paddedHeight, width: geometry.paddedWidth, channels: 3, border: 1)
    let rest = frame.buffer.count - (frame.pixel(0, 0) - frame.buffer.pointer)
    try preprocessor.writeFrame(
      of: picture, geometry: geometry,
      into: UnsafeMutableBufferPointer(start: frame.pixel(0, 0), count: rest),
      rowStride: frame.pitch, parallelFor: { self.context.parallel($0, $1) })
    return (frame, geometry)
  }

  /// Encodes a frame that is already resized, normalised and padded; `observe` sees every stage.
  package func encode(frame: FeatureMap, geometry: FrameGeometry, _ observe: StageObserver)
    throws(ModelError) -> ImageEmbedding
  {
    encodes.wrappingAdd(1, ordering: .relaxed)
    let picture = MapExtent(height: geometry.resizedHeight, width: geometry.resizedWidth)
    let features = try encoder(frame, picture: picture, context, observe: observe)
    return makeEmbedding(geometry: geometry, features: features)
  }

  /// An embedding with what the decoder prepares ahead of prompts.
  func makeEmbedding(geometry: FrameGeometry, features: ImageFeatures) -> ImageEmbedding {
    let positions = promptEncoder.positions.grid(
      height: features.embedding.height, width: features.embedding.width, context)
    return ImageEmbedding(geometry: geometry, features: features, positions: positions)
  }

  /// Decodes prompts, each on its own, in one batch.
  ///
  /// The result has one element per prompt, in order. `isWanted` is told each mask's number and score: a mask that
  /// is not wanted comes as a grid of 0×0, and a prompt without any takes three fifths of the time. nil wants all.
  ///
  /// - Throws: ``ModelError/cancelled``, ``ModelError/badPrompt``.
  package func decode(
    _ embedding: ImageEmbedding, prompts: [Prompt],
    isCancelled: @escaping @Sendable () -> Bool = { false }, isWanted: MaskFilter? = nil
  ) throws(ModelError) -> [DecodedMasks] {
    let scaling: PointScaling
    switch configuration.encoder {
    case .tinyViT: scaling = .perAxis
    case .lite: scaling = .uniform
    }
    var encoded: [EncodedPrompt] = []
    encoded.reserveCapacity(prompts.count)
    for prompt in prompts {
      let framed = try FramePrompt(prompt, geometry: embedding.geometry, scaling: scaling)
      encoded.append(promptEncoder(framed, geometry: embedding.geometry, context))
    }
    return try maskDecoder(
      embedding.features, positions: embedding.positions, prompts: encoded, isWanted: isWanted,
      context, isCancelled: isCancelled)
  }

  /// How often the encoder has run; tests count reuse with it.
  package var encodeCount: Int { encodes.load(ordering: .relaxed) }
}

extension ImagePreprocessor {
  fileprivate init(_ configuration: NetworkConfiguration) {
    let resizing: Resizing
    switch configuration.encoder {
    case .tinyViT: resizing = .pillowBilinear
    case .lite: resizing = .openCVArea
    }
    self.init(
      mean: configuration.pixelMean, standardDeviation: configuration.pixelStd, resizing: resizing)
  }
}

/// How a network runs.
package struct NetworkOptions: Sendable {
  /// The number format of the encoder's matrix products; the decoder is always in float32.
  package enum Precision: Sendable { case automatic, float32, bfloat16 }
  package var precision: Precision = .automatic
  /// Threads that one call may use; nil is the machine's core count.
  package var threads: Int?
  /// nil takes the process's choice; tests and benchmarks compare the others with it.
  package var kernels: KernelTable?

  package init(
    precision: Precision = .automatic, threads: Int? = nil, kernels: KernelTable? = nil
  ) {
    self.precision = precision
    self.threads = threads
    self.kernels = kernels
  }
}

/// 8-bit pixels, interleaved, row-major, top row first.
package struct Picture: Sendable {
  package let width: Int
  package let height: Int
  /// 1 (gray), 3 (RGB) or 4 (RGBA; alpha is ignored).
  package let channels: Int
  package let pixels: [UInt8]

  package init(width: Int, height: Int, channels: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.channels = channels
    self.pixels = pixels
  }
}

/// Where the picture lies in the model's frame; see ``FrameGeometry/init``.
package struct FrameGeometry: Sendable, Equatable {
  /// The picture, in pixels.
  package let imageWidth: Int
  package let imageHeight: Int
  /// Long side of the frame: 1024 (MobileSAM) or 512 (Lite).
  package let frameSize: Int
  /// The picture resized: its long side is `frameSize`, the other `Int(x · scale + 0.5)`, at least 1.
  package let resizedWidth: Int
  package let resizedHeight: Int
  /// The resized picture with zeros at right and bottom: what the encoder sees.
  package let paddedWidth: Int
  package let paddedHeight: Int
  /// The low-resolution logits are `paddedWidth / maskStride` wide.
  package let maskStride: Int

  /// `padMultiple` nil pads to a square (MobileSAM), else each side to a multiple of it (Lite, 32).
  package init(
    imageWidth: Int, imageHeight: Int, frameSize: Int, padMultiple: Int?, maskStride: Int
  ) {
    self.imageWidth = imageWidth
    self.imageHeight = imageHeight
    self.frameSize = frameSize
    self.maskStride = maskStride
    let scale = Double(frameSize) / Double(max(imageWidth, imageHeight))
    resizedWidth = max(1, Int(Double(imageWidth) * scale + 0.5))
    resizedHeight = max(1, Int(Double(imageHeight) * scale + 0.5))
    if let multiple = padMultiple {
      paddedWidth = (resizedWidth + multiple - 1) / multiple * multiple
      paddedHeight = (resizedHeight + multiple - 1) / multiple * multiple
    } else {
      paddedWidth = frameSize
      paddedHeight = frameSize
    }
  }

  /// Size of the low-resolution logits, padding included.
  package var gridWidth: Int { paddedWidth / maskStride }
  package var gridHeight: Int { paddedHeight / maskStride }
}

/// What is pointed at.
///
/// All coordinates are pixels of the picture from its upper left corner, pixel centres at +0.5 not added.
package struct Prompt: Sendable {
  /// More points than Vision's API allows (13), and a bound on a batch's memory.
  package static let maximumPoints = 256

  package struct Point: Sendable, Equatable {
    package var x: Float
    package var y: Float
    /// true includes, false excludes.
    package var isIncluded: Bool

    package init(x: Float, y: Float, isIncluded: Bool) {
      self.x = x
      self.y = y
      self.isIncluded = isIncluded
    }
  }

  package struct Box: Sendable, Equatable {
    package var x0: Float
    package var y0: Float
    package var x1: Float
    package var y1: Float

    package init(x0: Float, y0: Float, x1: Float, y1: Float) {
      self.x0 = x0
      self.y0 = y0
      self.x1 = x1
      self.y1 = y1
    }
  }

  package var points: [Point]
  package var box: Box?
  /// Low-resolution logits of an earlier answer on the same picture (clamped to ±32 by the decoder).
  package var previous: LogitGrid?
  /// More include clicks along a scribble for the dense prompt map of Lite; MobileSAM ignores them.
  package var strokes: [Point]

  package init(
    points: [Point] = [], box: Box? = nil, previous: LogitGrid? = nil, strokes: [Point] = []
  ) {
    self.points = points
    self.box = box
    self.previous = previous
    self.strokes = strokes
  }
}

/// Row-major logits; above 0 is inside.
package struct LogitGrid: Sendable, Equatable {
  package let width: Int
  package let height: Int
  package let values: [Float]

  package init(width: Int, height: Int, values: [Float]) {
    self.width = width
    self.height = height
    self.values = values
  }
}

/// The decoder's four masks for one prompt: mask 0 is the single answer, 1 to 3 the candidates for an ambiguous click.
package struct DecodedMasks: Sendable {
  /// Four grids of the frame's `gridWidth × gridHeight`, padding included.
  package let grids: [LogitGrid]
  /// Predicted IoU of each.
  package let scores: [Float]

  package init(grids: [LogitGrid], scores: [Float]) {
    self.grids = grids
    self.scores = scores
  }
}

/// The encoder's output for one picture, with what the decoder can prepare ahead of prompts.
package final class ImageEmbedding: Sendable {
  package let geometry: FrameGeometry
  package let features: ImageFeatures
  /// The position encoding of every cell.
  let positions: FeatureMap

  init(geometry: FrameGeometry, features: ImageFeatures, positions: FeatureMap) {
    self.geometry = geometry
    self.features = features
    self.positions = positions
  }
}
