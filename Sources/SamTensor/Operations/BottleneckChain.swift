import KernelInterface

/// A 3×3 convolution with stride 2 and inverted bottlenecks after it, computed a row at a time.
///
/// At the network's beginning maps are large and products short: written out one after the other, each map would leave
/// the second-level cache before the next layer reads it.
package struct BottleneckChain: Sendable {
  package let stem: PackedMatrix
  package let stemActivation: Activation
  /// None adds its input to its result.
  package let blocks: [InvertedBottleneck]

  package init(stem: PackedMatrix, stemActivation: Activation, blocks: [InvertedBottleneck]) {
    precondition(blocks.allSatisfy { !$0.hasResidual })
    self.stem = stem
    self.stemActivation = stemActivation
    self.blocks = blocks
  }
}

extension ComputeContext {
  /// Runs a chain over a map with a zero border of 1.
  ///
  /// Cost: the layers', and for every thread but the first the rows that two neighbouring rows of the result share.
  /// Scratch is a few rows of each layer for each thread.
  package func bottleneckChain(_ input: FeatureMap, _ chain: BottleneckChain) -> FeatureMap {
    guard !chain.blocks.isEmpty else {
      return convolution3x3(input, chain.stem, stride: 2, activation: chain.stemActivation)
    }
    precondition(input.border >= 1 && chain.stem.inner == 9 * input.channels)
    let plan = ChainPlan(chain, input: input)
    let output = map(
      height: plan.height, width: plan.width, channels: plan.channels)
    // Some bands for each thread, so that one that is held up can be helped out.
    let bands = min(output.height, 8 * threads)
    parallel(bands, scratch: plan.scratch, state: { ChainState(levels: chain.blocks.count) }) {
      band, scratch, state in
      let rows = band * output.height / bands..<(band + 1) * output.height / bands
      state.begin(at: rows)
      let run = ChainRun(
        context: self, chain: chain, plan: plan, input: input, scratch: scratch)
      for y in rows {
        run.makeRow(y, of: chain.blocks.count - 1, into: output.pixel(y, 0), &state)
      }
    }
    return output
  }
}

/// The sizes of a chain's maps and where its rows lie in a thread's scratch memory.
private struct ChainPlan: Sendable {
  struct Level {
    /// Of the map that the block's depthwise convolution reads.
    let height: Int
    let width: Int
    let outputWidth: Int
    let ringRow: Int
    /// As many rows as the depthwise convolution has.
    let ring: Int
    /// One row of the depthwise convolution's results.
    let wide: Int
    /// One row of the map before it is widened.
    let narrow: Int
  }

  let levels: [Level]
  let height: Int
  let width: Int
  let channels: Int
  let scratch: Int

  init(_ chain: BottleneckChain, input: FeatureMap) {
    var height = (input.height - 1) / 2 + 1
    var width = (input.width - 1) / 2 + 1
    var channels = chain.stem.columns
    var levels: [Level] = []
    var next = 0
    for block in chain.blocks {
      let ringRow = width * block.depthwise.channels + ComputeContext.cacheLine
      let outputWidth = (width - 1) / block.stride + 1
      let wide = next + block.depthwise.size * ringRow
      let narrow = wide + outputWidth * block.depthwise.channels
      levels.append(
        Level(
          height: height, width: width, outputWidth: outputWidth, ringRow: ringRow, ring: next,
          wide: wide, narrow: narrow))
      next = narrow + (block.expand == nil ? 0 : width * channels)
      height = (height - 1) / block.stride + 1
      width = outputWidth
      channels = block.project.columns
    }
    self.levels = levels
    (self.height, self.width, self.channels, scratch) = (height, width, channels, next)
  }
}

/// Which rows a thread's rings hold.
private struct ChainState {
  /// For each block the first row of its widened map that is not in its ring yet.
  var nextRows: [Int]
  private var end = 0

  init(levels: Int) {
    nextRows = [Int](repeating: 0, count: levels)
  }

  /// Forgets the rings unless the rows follow those before.
  mutating func begin(at rows: Range<Int>) {
    if rows.lowerBound != end {
      for level in nextRows.indices { nextRows[level] = 0 }
    }
    end = rows.upperBound
  }
}

/// One thread's way through a chain.
private struct ChainRun {
  let context: ComputeContext
  let chain: BottleneckChain
  let plan: ChainPlan
  let input: FeatureMap
  let scratch: UnsafeMutablePointer<Float>

  /// Computes row `y` of a block's result, or the stem's for level −1.
  func makeRow(
    _ y: Int, of level: Int, into target: UnsafeMutablePointer<Float>, _ state: inout ChainState
  ) {
    guard level >= 0 else {
      context.convolutionRow(
        input.pixel(2 * y - 1, -1), pitch: input.pitch, channels: input.channels, chain.stem,
        stride: 2, activation: chain.stemActivation, output: target, width: plan.levels[0].width)
      return
    }
    let block = chain.blocks[level]
    let place = plan.levels[level]
    let size = block.depthwise.size
    let top = y * block.stride - block.depthwise.pad
    let wide = scratch + place.wide
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: size) { rows in
      for ky in 0..<size {
        let row = top + ky
        rows[ky] =
          row >= 0 && row < place.height ? widenedRow(row, of: level, &state) : nil
      }
      context.depthwise(
        rows, block.depthwise, stride: block.stride, activation: block.innerActivation,
        leftPad: block.depthwise.pad, inputWidth: place.width, output: wide,
        outputWidth: place.outputWidth)
    }
    block.project.multiply(
      wide, stride: block.depthwise.channels, rows: place.outputWidth,
      activation: block.outerActivation, output: target, outputStride: block.project.columns)
  }

  /// A row of the map that a block's depthwise convolution reads, from the ring or new.
  private func widenedRow(
    _ row: Int, of level: Int, _ state: inout ChainState
  ) -> UnsafePointer<Float> {
    let block = chain.blocks[level]
    let place = plan.levels[level]
    let target = scratch + place.ring + row % block.depthwise.size * place.ringRow
    guard row >= state.nextRows[level] else { return UnsafePointer(target) }
    if let expand = block.expand {
      let narrow = scratch + place.narrow
      makeRow(row, of: level - 1, into: narrow, &state)
      expand.multiply(
        narrow, stride: expand.inner, rows: place.width, activation: block.innerActivation,
        output: target, outputStride: expand.columns)
    } else {
      makeRow(row, of: level - 1, into: target, &state)
    }
    state.nextRows[level] = row + 1
    return UnsafePointer(target)
  }
}
