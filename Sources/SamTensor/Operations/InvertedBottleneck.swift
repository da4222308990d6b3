import KernelInterface

/// The weights of an inverted bottleneck: 1×1 expansion, depthwise convolution, 1×1 projection.
///
/// MobileSAM's MBConv and patch merging and EfficientNet's MBConv are all this block with other activations.
package struct InvertedBottleneck: Sendable {
  /// nil where the block does not widen.
  package let expand: PackedMatrix?
  package let depthwise: DepthwiseWeights
  package let project: PackedMatrix
  /// 1 or 2.
  package let stride: Int
  /// After the expansion and after the depthwise convolution.
  package let innerActivation: Activation
  /// Whether the input is added to the projection.
  package let hasResidual: Bool
  /// After the residual.
  package let outerActivation: Activation

  package init(
    expand: PackedMatrix?, depthwise: DepthwiseWeights, project: PackedMatrix, stride: Int,
    innerActivation: Activation, hasResidual: Bool, outerActivation: Activation
  ) {
    self.expand = expand
    self.depthwise = depthwise
    self.project = project
    self.stride = stride
    self.innerActivation = innerActivation
    self.hasResidual = hasResidual
    self.outerActivation = outerActivation
  }
}

extension ComputeContext {
  /// Runs the block tile by tile: the widened map exists only as a few rows of a tile, in the second-level cache.
  ///
  /// A tile is a band of output rows over a range of columns. Its widened input rows go through a ring of as many rows
  /// as the depthwise kernel has; neighbouring tiles widen their common rows and columns twice.
  ///
  /// `part` is what to compute of the output; nil is all of it. The rest is left uninitialised.
  package func invertedBottleneck(
    _ input: FeatureMap, _ block: InvertedBottleneck, part: MapExtent? = nil
  ) -> FeatureMap {
    let height = (input.height - 1) / block.stride + 1
    let width = (input.width - 1) / block.stride + 1
    let output = map(
      height: height, width: width, channels: block.project.columns)
    let plan = TilePlan(block: block, output: output, part: part ?? output.extent)
    if plan.isFused {
      parallel(plan.bands * plan.columns, scratch: plan.scratch) { task, scratch in
        runTile(plan.tile(task), input, block, output, scratch: scratch)
      }
    } else {
      runWhole(input, block, output, rows: part?.height ?? output.height)
    }
    return output
  }

  /// The unfused form for maps of few rows, where bands would repeat too much of the expansion.
  private func runWhole(
    _ input: FeatureMap, _ block: InvertedBottleneck, _ output: FeatureMap, rows: Int
  ) {
    let wide = block.expand.map { linear(input, $0, activation: block.innerActivation) } ?? input
    let size = block.depthwise.size
    let columns = output.width
    parallel(rows, scratch: columns * wide.channels) { y, scratch in
      withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: size) { rows in
        for ky in 0..<size {
          let row = y * block.stride + ky - block.depthwise.pad
          rows[ky] = row >= 0 && row < wide.height ? UnsafePointer(wide.pixel(row, 0)) : nil
        }
        depthwise(
          rows, block, leftPad: block.depthwise.pad, inputWidth: wide.width, output: scratch,
          outputWidth: columns)
      }
      project(scratch, input, block, output, y: y, x: 0, count: columns)
    }
  }

  private func runTile(
    _ tile: TilePlan.Tile, _ input: FeatureMap, _ block: InvertedBottleneck, _ output: FeatureMap,
    scratch: UnsafeMutablePointer<Float>
  ) {
    guard tile.width > 0, tile.height > 0 else { return }
    let size = block.depthwise.size
    let channels = block.depthwise.channels
    let firstColumn = tile.x * block.stride - block.depthwise.pad
    let x0 = max(0, firstColumn)
    let x1 = min(input.width, firstColumn + (tile.width - 1) * block.stride + size)
    let ringRow = (x1 - x0) * channels
    let wideOutput = scratch + size * ringRow
    var next = 0
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: size) { rows in
      for y in tile.y..<tile.y + tile.height {
        let top = y * block.stride - block.depthwise.pad
        for ky in 0..<size {
          let row = top + ky
          guard row >= 0, row < input.height else {
            rows[ky] = nil
            continue
          }
          guard let expand = block.expand else {
            rows[ky] = UnsafePointer(input.pixel(row, x0))
            continue
          }
          let target = scratch + row % size * ringRow
          if row >= next {
            expand.multiply(
              input.pixel(row, x0), stride: input.channels, rows: x1 - x0,
              activation: block.innerActivation, output: target, outputStride: channels)
            next = row + 1
          }
          rows[ky] = UnsafePointer(target)
        }
        depthwise(
          rows, block, leftPad: x0 - firstColumn, inputWidth: x1 - x0, output: wideOutput,
          outputWidth: tile.width)
        project(wideOutput, input, block, output, y: y, x: tile.x, count: tile.width)
      }
    }
  }

  private func depthwise(
    _ rows: UnsafeMutableBufferPointer<UnsafePointer<Float>?>, _ block: InvertedBottleneck,
    leftPad: Int, inputWidth: Int, output: UnsafeMutablePointer<Float>, outputWidth: Int
  ) {
    guard let first = rows.baseAddress else { return }
    let weights = block.depthwise
    kernels.depthwiseConvolution(
      first, weights.size, block.stride, leftPad, inputWidth, weights.channels,
      weights.taps.pointer, weights.bias.pointer, block.innerActivation, output, outputWidth)
  }

  private func project(
    _ wide: UnsafePointer<Float>, _ input: FeatureMap, _ block: InvertedBottleneck,
    _ output: FeatureMap, y: Int, x: Int, count: Int
  ) {
    block.project.multiply(
      wide, stride: block.depthwise.channels, rows: count,
      residual: block.hasResidual ? UnsafePointer(input.pixel(y, x)) : nil,
      residualStride: input.channels, activation: block.outerActivation,
      output: output.pixel(y, x), outputStride: output.channels)
  }
}

/// How an inverted bottleneck is cut into tiles; a function of sizes only, never of the thread count.
private struct TilePlan: Sendable {
  struct Tile {
    let y: Int
    let x: Int
    let height: Int
    let width: Int
  }

  let bands: Int
  let columns: Int
  let scratch: Int
  let isFused: Bool
  private let outputHeight: Int
  private let outputWidth: Int
  private let tileWidth: Int

  /// Floats that a tile's ring may take: half of a 1 MB second-level cache.
  private static let ringLimit = 1 << 17

  /// Output rows from which on bands pay.
  private static let fusedHeight = 64

  init(block: InvertedBottleneck, output: FeatureMap, part: MapExtent) {
    let size = block.depthwise.size
    let channels = block.depthwise.channels
    outputHeight = part.height
    outputWidth = part.width
    isFused = output.height >= Self.fusedHeight
    let rowFloats = size * channels * block.stride
    let limit = max(8, Self.ringLimit / rowFloats / 8 * 8)
    columns = (part.width + limit - 1) / limit
    tileWidth = ((part.width + columns - 1) / columns + 7) / 8 * 8
    bands = isFused ? max(4, part.height / 32) : 1
    scratch = size * ((tileWidth - 1) * block.stride + size) * channels + tileWidth * channels
  }

  func tile(_ index: Int) -> Tile {
    let band = index / columns
    let y = band * outputHeight / bands
    let x = min(outputWidth, index % columns * tileWidth)
    return Tile(
      y: y, x: x, height: (band + 1) * outputHeight / bands - y,
      width: min(tileWidth, outputWidth - x))
  }
}
