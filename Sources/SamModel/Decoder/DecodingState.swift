import KernelInterface
import SamTensor

/// Grid rows cut into chunks; a function of the grid only, so that results do not depend on threads.
struct GridChunks: Sendable {
  let height: Int
  let width: Int
  private let rowsEach: Int

  /// Cells of a chunk, about: its image rows, positions and scores stay in the second-level cache.
  private static let cells = 128

  init(height: Int, width: Int) {
    self.height = height
    self.width = width
    rowsEach = max(1, Self.cells / width)
  }

  var count: Int { (height + rowsEach - 1) / rowsEach }
  /// Cells of the largest chunk.
  var largest: Int { rowsEach * width }

  func firstRow(_ chunk: Int) -> Int { chunk * rowsEach }
  func rows(_ chunk: Int) -> Int { min(rowsEach, height - chunk * rowsEach) }
}

/// One prompt on its way through the decoder.
///
/// Not `Sendable` by construction but by use: token steps run on one thread, chunk steps touch their own chunk only.
final class DecodingState: @unchecked Sendable {
  let chunks: GridChunks
  private let features: ImageFeatures
  private let positions: FeatureMap
  private let prompt: EncodedPrompt
  private let skips: SkipConnections?
  private let tokens: TokenState
  /// The image's cells as the transformer changes them: cells × dimension.
  ///
  /// Not yet filled before the first pass.
  private let image: FloatBuffer
  private var isImageFilled = false
  private var asking: TokenToImage?
  private var answering: ImageToToken?
  private let vectors: FloatBuffer
  private let scores: FloatBuffer
  private var packedVectors: FloatBuffer?
  private let logits: FloatBuffer
  /// For each mask, whether its grid is wanted.
  private var isWanted: [Bool] = []

  private var dimension: Int { features.embedding.channels }

  init(
    _ prompt: EncodedPrompt, features: ImageFeatures, positions: FeatureMap, fixed: FloatBuffer,
    _ context: ComputeContext
  ) {
    let embedding = features.embedding
    let dimension = embedding.channels
    let masks = fixed.count / dimension - 1
    self.prompt = prompt
    self.features = features
    self.positions = positions
    chunks = GridChunks(height: embedding.height, width: embedding.width)
    tokens = TokenState(fixed: fixed, prompt: prompt, dimension: dimension, context)
    image = context.pool.buffer(embedding.pixels * dimension)
    vectors = context.pool.buffer(masks * dimension / 8)
    scores = context.pool.buffer(masks)
    logits = context.pool.buffer(masks * embedding.pixels * MaskHead.cellLogits)
    if let stride4 = features.stride4, let stride8 = features.stride8 {
      let joined = context.map(
        height: stride4.height, width: stride4.width, channels: stride4.channels)
      if let extra = prompt.stride4 {
        context.kernels.add(
          stride4.buffer.pointer, extra.buffer.pointer, joined.buffer.pointer,
          stride4.pixels * stride4.channels)
      }
      skips = SkipConnections(stride4: prompt.stride4 == nil ? stride4 : joined, stride8: stride8)
    } else {
      skips = nil
    }
  }

  /// The token side before a pass: the layer's self-attention, and its question to the image.
  func ask(_ block: TwoWayBlock, _ context: ComputeContext) {
    block.attendToSelf(tokens, context)
    asking = TokenToImage(
      block.tokenToImage, queries: tokens.positioned.pointer, count: tokens.count,
      chunks: chunks.count, context)
  }

  /// The token side after a pass: the image's answer, the MLP, and what the image will ask in the next pass.
  func digest(_ block: TwoWayBlock, _ context: ComputeContext) {
    takeAnswer(context)
    block.digest(tokens, context)
    answering = ImageToToken(
      block.imageToToken, norm: block.imageNorm, keys: tokens.positioned.pointer,
      tokens: tokens.tokens.pointer, count: tokens.count, context)
  }

  func askLast(_ attention: CrossAttention, _ context: ComputeContext) {
    tokens.addPositions(context)
    asking = TokenToImage(
      attention, queries: tokens.positioned.pointer, count: tokens.count, chunks: chunks.count,
      context)
  }

  func finishTokens(_ norm: LayerNormWeights, _ context: ComputeContext) {
    takeAnswer(context)
    norm.apply(tokens.tokens.pointer, tokens.tokens.pointer, rows: tokens.count, context: context)
  }

  private func takeAnswer(_ context: ComputeContext) {
    asking?.finish(
      residual: tokens.tokens.pointer, result: tokens.tokens.pointer, context)
    isImageFilled = true
  }

  var scratchCount: Int {
    let cells = chunks.largest
    return cells * dimension
      + max(asking?.scratchCount(rows: cells) ?? 0, answering?.scratchCount(rows: cells) ?? 0)
  }

  /// One chunk of a pass: the image asks (not in the first pass), then is asked.
  func visit(
    _ chunk: Int, scratch: UnsafeMutablePointer<Float>, _ context: ComputeContext
  ) {
    let first = chunks.firstRow(chunk) * chunks.width
    let rows = chunks.rows(chunk) * chunks.width
    let cells = image.pointer + first * dimension
    let places = positions.buffer.pointer + first * dimension
    let positioned = scratch
    let rest = scratch + rows * dimension
    if !isImageFilled { fill(first, rows, context) }
    context.kernels.add(cells, places, positioned, rows * dimension)
    if let answering {
      answering.update(
        cells, positioned: positioned, rows: rows, result: cells, scratch: rest, context)
      context.kernels.add(cells, places, positioned, rows * dimension)
    }
    asking?.visit(
      chunk, keys: cells, positioned: positioned, rows: rows, scratch: rest, context)
  }

  /// Image embedding plus dense prompt, for some cells.
  private func fill(_ first: Int, _ rows: Int, _ context: ComputeContext) {
    let offset = first * dimension
    let source = features.embedding.buffer.pointer + offset
    let target = image.pointer + offset
    switch prompt.dense {
    case .map(let map):
      context.kernels.add(source, map.buffer.pointer + offset, target, rows * dimension)
    case .constant(let vector):
      for row in 0..<rows {
        context.kernels.add(
          source + row * dimension, vector.pointer, target + row * dimension, dimension)
      }
    }
  }

  func runHead(_ head: MaskHead, network: Int, _ context: ComputeContext) {
    head.vectors(
      tokens.tokens.pointer, networks: network..<network + 1, to: vectors, scores: scores, context)
  }

  /// Mask vectors as the right operand of a product: channels × masks.
  func packVectors(_ head: MaskHead, _ context: ComputeContext) {
    let matrix = context.kernels.matrix
    let packed = context.pool.buffer(matrix.packedCount(head.channels, head.maskCount))
    matrix.pack(
      vectors.pointer, 1, head.channels, head.channels, head.maskCount, nil, packed.pointer)
    packedVectors = packed
  }

  /// Asks of each mask whether it is wanted; tells whether any is.
  func chooseMasks(_ filter: MaskFilter?) -> Bool {
    isWanted = scores.array().enumerated().map { filter?($0, $1) ?? true }
    return isWanted.contains(true)
  }

  /// Upscales one chunk and multiplies it with the mask vectors.
  func computeLogits(
    _ chunk: Int, _ head: MaskHead, scratch: UnsafeMutablePointer<Float>,
    _ context: ComputeContext
  ) {
    guard let packedVectors else { preconditionFailure("logits before their vectors") }
    let (firstRow, rows, width) = (chunks.firstRow(chunk), chunks.rows(chunk), chunks.width)
    let upscaled = scratch
    let rest = scratch + rows * width * MaskHead.cellLogits * head.channels
    head.upscale(
      image.pointer + firstRow * width * dimension, firstRow: firstRow, rows: rows, width: width,
      skips: skips, result: upscaled, scratch: rest, context)
    head.logits(
      upscaled, packedVectors: packedVectors.pointer, firstRow: firstRow, rows: rows,
      width: width, logits: logits.pointer,
      mapSize: features.embedding.pixels * MaskHead.cellLogits,
      scratch: rest, context)
  }

  /// The scores, and the grids that are wanted.
  func masks(_ head: MaskHead) -> DecodedMasks {
    let (height, width) = (4 * chunks.height, 4 * chunks.width)
    let size = height * width
    let grids = (0..<head.maskCount).map { mask -> LogitGrid in
      guard isWanted[mask] else { return LogitGrid(width: 0, height: 0, values: []) }
      return LogitGrid(
        width: width, height: height,
        values: Array(UnsafeBufferPointer(start: logits.pointer + mask * size, count: size)))
    }
    return DecodedMasks(grids: grids, scores: scores.array())
  }
}
