import KernelInterface
import SamTensor

/// TinyViT's attention: the grid is cut into windows (or is one window), each attends to itself with a learned
/// bias for every distance.
///
/// Windows that reach past the grid are filled with zero tokens *before* the layer norm, and those are not
/// masked: each is the norm's bias, the same query, key and value for all. They are computed once, at load.
struct WindowAttention: Sendable {
  let dimension: Int
  let heads: Int
  let norm: LayerNormWeights
  /// Of the heads' own products.
  let kernels: MatrixKernels
  /// `norm`, `qkv` (columns: per head query, key, value), `proj`, `attention_biases`.
  let queryKeyValue: PackedMatrix
  let projection: PackedMatrix
  let biases: AttentionBiases
  /// Query, key and value of a padding token: 3 · dimension.
  private let padding: FloatBuffer

  init(
    _ scope: WeightScope, dimension: Int, heads: Int, biasSide: Int, epsilon: Float,
    loader: LayerLoader
  ) throws(ModelError) {
    self.dimension = dimension
    self.heads = heads
    kernels = loader.kernels
    norm = try loader.layerNorm(scope["norm"], dimension, epsilon: epsilon)
    queryKeyValue = try loader.linear(scope["qkv"], dimension, 3 * dimension)
    projection = try loader.linear(scope["proj"], dimension, dimension)
    biases = AttentionBiases(
      try scope.floats("attention_biases", heads, biasSide * biasSide), heads: heads, side: biasSide
    )
    padding = FloatBuffer(count: 3 * dimension)
    queryKeyValue.multiply(
      norm.bias.pointer, stride: dimension, rows: 1, output: padding.pointer,
      outputStride: 3 * dimension)
  }

  /// `tokens += attention(tokens)` in place, for the windows that `part` touches.
  func callAsFunction(
    _ tokens: FeatureMap, window: MapExtent, part: MapExtent, _ context: ComputeContext
  ) {
    if window == tokens.extent {
      attendWholeGrid(tokens, context)
      return
    }
    let plan = WindowPlan(tokens, window: window, part: part, dimension: dimension)
    let bias = biases.tables(height: window.height, width: window.width)
    let attentionScratch = kernels.attentionScratch(
      plan.cells, plan.cells, dimension / heads)
    let scratchCount = plan.scratchCount + attentionScratch
    context.parallel(plan.tasks, scratch: scratchCount) { task, scratch in
      let areas = WindowScratch(plan, scratch)
      let windows = plan.windows(task)
      var rows = 0
      for w in windows {
        for y in 0..<plan.height(w) {
          norm.apply(
            plan.token(w, y), areas.normalised + rows * dimension, rows: plan.width(w),
            context: context)
          rows += plan.width(w)
        }
      }
      queryKeyValue.multiply(
        areas.normalised, stride: dimension, rows: rows, output: areas.projected,
        outputStride: 3 * dimension)
      // The normalised tokens are no longer wanted: their place takes the heads' results.
      rows = 0
      for w in windows {
        attend(w, plan, areas, firstRow: rows, bias: bias, context)
        rows += plan.height(w) * plan.width(w)
      }
      projection.multiply(
        areas.normalised, stride: dimension, rows: rows, output: areas.projected,
        outputStride: dimension)
      rows = 0
      for w in windows {
        for y in 0..<plan.height(w) {
          let token = plan.token(w, y)
          context.kernels.add(
            token, areas.projected + rows * dimension, token, plan.width(w) * dimension)
          rows += plan.width(w)
        }
      }
    }
  }

  /// All heads of one window, from `areas.projected` into `areas.normalised`.
  private func attend(
    _ w: Int, _ plan: WindowPlan, _ areas: WindowScratch, firstRow: Int,
    bias: AttentionBiases.Tables,
    _ context: ComputeContext
  ) {
    let stride = 3 * dimension
    let isWhole = plan.height(w) == plan.window.height && plan.width(w) == plan.window.width
    var source = areas.projected + firstRow * stride
    var target = areas.normalised + firstRow * dimension
    if !isWhole {
      spread(source, plan, w, into: areas.padded)
      source = areas.padded
      target = areas.paddedResult
    }
    for head in 0..<heads {
      attend(
        head, of: source, cells: plan.cells, queries: 0..<plan.cells, bias: bias, output: target,
        scratch: areas.attention)
    }
    if !isWhole {
      let run = plan.width(w) * dimension
      for y in 0..<plan.height(w) {
        (areas.normalised + (firstRow + y * plan.width(w)) * dimension)
          .update(from: target + y * plan.window.width * dimension, count: run)
      }
    }
  }

  /// One head's results for some of a window's cells, which all its cells answer.
  ///
  /// `projected` holds query, key and value of each cell, head after head; `output` the heads' results of each.
  func attend(
    _ head: Int, of projected: UnsafePointer<Float>, cells: Int, queries: Range<Int>,
    bias: AttentionBiases.Tables, output: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutablePointer<Float>
  ) {
    let depth = dimension / heads
    let stride = 3 * dimension
    let first = projected + head * 3 * depth
    let query = queries.lowerBound
    kernels.attention(
      AttentionCall(
        query: first + query * stride, queryStride: stride, queries: queries.count,
        key: first + depth, keyStride: stride, value: first + 2 * depth, valueStride: stride,
        keys: cells, dimension: depth, scale: 1 / Float(depth).squareRoot(),
        bias: bias.bias(head: head, firstQuery: query),
        output: output + query * dimension + head * depth, outputStride: dimension,
        scratch: scratch))
  }

  /// Lays a partly covered window out whole, the padding tokens' constant in the rest.
  private func spread(
    _ source: UnsafePointer<Float>, _ plan: WindowPlan, _ w: Int,
    into target: UnsafeMutablePointer<Float>
  ) {
    let stride = 3 * dimension
    var source = source
    for y in 0..<plan.window.height {
      for x in 0..<plan.window.width {
        let cell = target + (y * plan.window.width + x) * stride
        if y < plan.height(w), x < plan.width(w) {
          cell.update(from: source, count: stride)
          source += stride
        } else {
          cell.update(from: padding.pointer, count: stride)
        }
      }
    }
  }
}

/// How a grid is cut into windows, and windows into tasks.
private struct WindowPlan: Sendable {
  let tokens: FeatureMap
  let window: MapExtent
  let dimension: Int
  let columns: Int
  let rows: Int
  /// Windows of a task: enough tokens to fill the matrix kernel's tiles (a 7×7 window alone wastes an eighth).
  let perTask: Int

  private static let tokensPerTask = 196

  init(_ tokens: FeatureMap, window: MapExtent, part: MapExtent, dimension: Int) {
    self.tokens = tokens
    self.window = window
    self.dimension = dimension
    columns = (part.width + window.width - 1) / window.width
    rows = (part.height + window.height - 1) / window.height
    perTask = max(1, Self.tokensPerTask / (window.height * window.width))
  }

  var cells: Int { window.height * window.width }
  var count: Int { columns * rows }
  var tasks: Int { (count + perTask - 1) / perTask }

  func windows(_ task: Int) -> Range<Int> {
    task * perTask..<min(count, (task + 1) * perTask)
  }

  /// Rows and columns of window `w` that the grid covers.
  func height(_ w: Int) -> Int {
    min(window.height, tokens.height - w / columns * window.height)
  }

  func width(_ w: Int) -> Int { min(window.width, tokens.width - w % columns * window.width) }

  func token(_ w: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    tokens.pixel(w / columns * window.height + y, w % columns * window.width)
  }

  /// Floats of ``WindowScratch`` without the attention kernel's own.
  var scratchCount: Int { (perTask + 1) * cells * 4 * dimension }
}

/// The parts of a task's scratch memory.
private struct WindowScratch {
  let normalised: UnsafeMutablePointer<Float>
  let projected: UnsafeMutablePointer<Float>
  let padded: UnsafeMutablePointer<Float>
  let paddedResult: UnsafeMutablePointer<Float>
  let attention: UnsafeMutablePointer<Float>

  init(_ plan: WindowPlan, _ scratch: UnsafeMutablePointer<Float>) {
    let tokens = plan.perTask * plan.cells * plan.dimension
    let one = plan.cells * plan.dimension
    normalised = scratch
    projected = normalised + tokens
    padded = projected + 3 * tokens
    paddedResult = padded + 3 * one
    attention = paddedResult + one
  }
}
