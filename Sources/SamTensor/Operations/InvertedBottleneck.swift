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
  /// as the depthwise kernel has. A thread that goes on with the tile below finds the rows that the two share in its
  /// ring; only where threads' shares or columns of tiles meet are rows and columns widened twice.
  ///
  /// `input` has no border. `part` is what to compute of the output; nil is all of it. The rest is left uninitialised.
  package func invertedBottleneck(
    _ input: FeatureMap, _ block: InvertedBottleneck, part: MapExtent? = nil
  ) -> FeatureMap {
    // A residual is read over the ends of rows.
    precondition(
      input.border == 0 && input.channels == block.expand?.inner ?? block.depthwise.channels)
    let height = (input.height - 1) / block.stride + 1
    let width = (input.width - 1) / block.stride + 1
    let output = map(
      height: height, width: width, channels: block.project.columns)
    let part = part ?? output.extent
    let plan = TilePlan(block: block, output: output, part: part, threads: threads)
    if plan.isFused {
      parallel(plan.count, scratch: plan.scratch, state: { RingState() }) { task, scratch, ring in
        runTile(plan.tile(task), input, block, output, scratch: scratch, ring: &ring)
      }
    } else {
      runWhole(input, block, output, rows: part.height)
    }
    return output
  }

  /// The unfused form for maps of few rows, where bands would repeat too much of the expansion.
  private func runWhole(
    _ input: FeatureMap, _ block: InvertedBottleneck, _ output: FeatureMap, rows: Int
  ) {
    let wide = block.expand.map { linear(input, $0, activation: block.innerActivation) } ?? input
    let tasks = PixelTasks(
      MapExtent(height: rows, width: output.width), threads: threads)
    parallel(tasks.count, scratch: tasks.longest * wide.channels) { task, scratch in
      tasks.forEachPiece(task) { y, columns, offset in
        depthwiseRow(
          wide, block.depthwise, stride: block.stride, activation: block.innerActivation, y: y,
          columns: columns, output: scratch + offset * wide.channels)
      }
      let pixels = tasks.pixels(task)
      let first = pixels.lowerBound
      block.project.multiply(
        scratch, stride: wide.channels, rows: pixels.count,
        residual: block.hasResidual ? UnsafePointer(input.pixel(number: first)) : nil,
        residualStride: input.channels, activation: block.outerActivation,
        output: output.pixel(number: first), outputStride: output.channels)
    }
  }

  private func runTile(
    _ tile: TilePlan.Tile, _ input: FeatureMap, _ block: InvertedBottleneck, _ output: FeatureMap,
    scratch: UnsafeMutablePointer<Float>, ring: inout RingState
  ) {
    guard tile.width > 0, tile.height > 0 else { return }
    let size = block.depthwise.size
    let channels = block.depthwise.channels
    let firstColumn = tile.x * block.stride - block.depthwise.pad
    let x0 = max(0, firstColumn)
    let x1 = min(input.width, firstColumn + (tile.width - 1) * block.stride + size)
    let ringRow = (x1 - x0) * channels + Self.cacheLine
    let wideOutput = scratch + size * ringRow
    if !ring.continues(with: tile) { ring.nextRow = 0 }
    ring.last = tile
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
          if row >= ring.nextRow {
            expand.multiply(
              input.pixel(row, x0), stride: input.channels, rows: x1 - x0,
              activation: block.innerActivation, output: target, outputStride: channels)
            ring.nextRow = row + 1
          }
          rows[ky] = UnsafePointer(target)
        }
        depthwise(
          rows, block.depthwise, stride: block.stride, activation: block.innerActivation,
          leftPad: x0 - firstColumn, inputWidth: x1 - x0, output: wideOutput,
          outputWidth: tile.width)
        block.project.multiply(
          wideOutput, stride: channels, rows: tile.width,
          residual: block.hasResidual ? UnsafePointer(input.pixel(y, tile.x)) : nil,
          residualStride: input.channels, activation: block.outerActivation,
          output: output.pixel(y, tile.x), outputStride: output.channels)
      }
    }
  }
}
