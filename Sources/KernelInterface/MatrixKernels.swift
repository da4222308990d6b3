/// The right operand of a product.
@frozen
public enum RightOperand {
  /// Weight and bias in the layout of ``MatrixKernels/pack``.
  case packed(UnsafePointer<Float>)
  /// A row-major matrix as it lies in memory, rows `stride` apart, with a bias per column or none. The number
  /// of columns must be a multiple of 16.
  case rows(UnsafePointer<Float>, stride: Int, bias: UnsafePointer<Float>?)
}

/// The operands and the epilogue of one packed matrix product.
///
/// `output[m][n] = activation(bias[n] + residual[m][n] + Σ_s Σ_k left[m · leftStride + s · segmentStride + k · innerStride] · weight[s · segmentLength + k][n])`
///
/// The left rows may overlap: a 3×3 convolution over a zero-bordered channels-last map is the product
/// with three segments (one per kernel row) of `3 · channels` values each and `leftStride = stride · channels`.
@frozen
public struct MatrixCall {
  /// Left operand: row `m` begins at `left + m · leftStride`.
  public var left: UnsafePointer<Float>
  /// Floats from one left row to the next; less than a row's extent where rows overlap.
  public var leftStride: Int
  /// Rows of the result.
  public var rows: Int
  /// The inner dimension is `segments · segmentLength`.
  public var segments: Int
  /// Values of a left row in one segment.
  public var segmentLength: Int
  /// Floats from where one segment of a left row begins to where the next one does.
  public var segmentStride: Int
  /// Floats between neighbours along the inner dimension: 1, or more for a transposed left operand.
  public var innerStride: Int
  /// Weight and bias.
  public var right: RightOperand
  /// Columns of the result.
  public var columns: Int
  /// Added before the activation where not nil; may be the output.
  public var residual: UnsafePointer<Float>?
  /// Floats from one row of the residual to the next.
  public var residualStride: Int
  /// Applied last, to the sum of product, bias and residual.
  public var activation: Activation
  /// The result: row `m` begins at `output + m · outputStride`.
  public var output: UnsafeMutablePointer<Float>
  /// Floats from one row of the result to the next, at least `columns`.
  public var outputStride: Int

  /// Describes a product; the defaults are those of plain rows of `segmentLength` neighbouring values.
  public init(
    left: UnsafePointer<Float>, leftStride: Int, rows: Int, segments: Int = 1, segmentLength: Int,
    segmentStride: Int = 0, innerStride: Int = 1, right: RightOperand, columns: Int,
    residual: UnsafePointer<Float>? = nil, residualStride: Int = 0, activation: Activation = .none,
    output: UnsafeMutablePointer<Float>, outputStride: Int
  ) {
    self.left = left
    self.leftStride = leftStride
    self.rows = rows
    self.segments = segments
    self.segmentLength = segmentLength
    self.segmentStride = segmentStride
    self.innerStride = innerStride
    self.right = right
    self.columns = columns
    self.residual = residual
    self.residualStride = residualStride
    self.activation = activation
    self.output = output
    self.outputStride = outputStride
  }
}

/// What a head adds to the scores within a window: a value for each distance between query and key.
///
/// Keys are the window's cells, row after row of `width`, and queries are too, from `firstQuery` on. Whole score rows are
/// `queries × keys` values, more than a core's caches hold next to the rest; the distances are a few hundred.
@frozen
public struct DistanceBias {
  /// For each |Δy| a row of ``rowStride(width:)`` floats: Δx from `1 − width` to `width − 1`, the rest any numbers.
  public var table: UnsafePointer<Float>
  /// Cells in a row of the window.
  public var width: Int
  /// The cell of the first query.
  public var firstQuery: Int

  /// Describes a table that lives at least as long as the call.
  @inlinable @inline(__always)
  public init(table: UnsafePointer<Float>, width: Int, firstQuery: Int = 0) {
    self.table = table
    self.width = width
    self.firstQuery = firstQuery
  }

  /// Floats from one row of a table to the next: a whole vector can be read from any distance that is met.
  @inlinable @inline(__always)
  public static func rowStride(width: Int) -> Int { 2 * width + 14 }

  /// Where the values of `query` (counted from 0) for the keys of row `keyRow` begin; `width` of them.
  @inlinable @inline(__always)
  public func values(query: Int, keyRow: Int) -> UnsafePointer<Float> {
    let cell = firstQuery + query
    let (y, x) = (cell / width, cell % width)
    return table + abs(y - keyRow) * Self.rowStride(width: width) + (width - 1 - x)
  }
}

/// One head of attention over one window (or over a whole grid).
///
/// `output[i] = Σ_j softmax_j(scale · query[i] · key[j] + bias(i, j)) · value[j]`, heads of `dimension` floats.
@frozen
public struct AttentionCall {
  /// `queries × dimension` floats.
  public var query: UnsafePointer<Float>
  /// Floats from one query to the next.
  public var queryStride: Int
  /// How many queries there are, and so rows of the output.
  public var queries: Int
  /// `keys × dimension` floats.
  public var key: UnsafePointer<Float>
  /// Floats from one key to the next.
  public var keyStride: Int
  /// `keys × dimension` floats: what belongs to each key.
  public var value: UnsafePointer<Float>
  /// Floats from one value to the next.
  public var valueStride: Int
  /// How many keys, and so values, there are; at least 1.
  public var keys: Int
  /// Floats in a query, a key and a value of this head.
  public var dimension: Int
  /// Multiplies `query · key` before the bias is added; SAM takes 1 / √`dimension`.
  public var scale: Float
  /// Added to the scores, where queries and keys are cells of a window.
  public var bias: DistanceBias?
  /// `queries × dimension` floats: the result.
  public var output: UnsafeMutablePointer<Float>
  /// Floats from one row of the result to the next.
  public var outputStride: Int
  /// ``MatrixKernels/attentionScratch`` floats.
  public var scratch: UnsafeMutablePointer<Float>

  /// Describes one head; every stride is in floats.
  public init(
    query: UnsafePointer<Float>, queryStride: Int, queries: Int, key: UnsafePointer<Float>,
    keyStride: Int, value: UnsafePointer<Float>, valueStride: Int, keys: Int, dimension: Int,
    scale: Float, bias: DistanceBias?, output: UnsafeMutablePointer<Float>,
    outputStride: Int, scratch: UnsafeMutablePointer<Float>
  ) {
    self.query = query
    self.queryStride = queryStride
    self.queries = queries
    self.key = key
    self.keyStride = keyStride
    self.value = value
    self.valueStride = valueStride
    self.keys = keys
    self.dimension = dimension
    self.scale = scale
    self.bias = bias
    self.output = output
    self.outputStride = outputStride
    self.scratch = scratch
  }
}

/// The matrix product of one CPU generation and the weight layout that it wants.
public struct MatrixKernels: Sendable {
  /// `reference`, `baseline`, `avx2`, `avx512`, `bfloat16` or `blas`.
  public var name: String

  /// Floats that the packed form of an `inner × columns` matrix and its bias takes.
  public var packedCount: @Sendable (_ inner: Int, _ columns: Int) -> Int

  /// Packs a matrix and its bias into `packed`, which holds `packedCount` floats.
  ///
  /// Element (k, n) is `matrix[k · innerStride + n · columnStride]`, so that a transposed matrix packs
  /// without a copy. A nil bias is zero.
  public var pack:
    @Sendable (
      _ matrix: UnsafePointer<Float>, _ innerStride: Int, _ columnStride: Int, _ inner: Int,
      _ columns: Int, _ bias: UnsafePointer<Float>?, _ packed: UnsafeMutablePointer<Float>
    ) -> Void

  /// Computes one product; see ``MatrixCall``.
  public var multiply: @Sendable (_ call: MatrixCall) -> Void

  /// Floats of scratch memory that ``attention`` needs.
  public var attentionScratch: @Sendable (_ queries: Int, _ keys: Int, _ dimension: Int) -> Int

  /// Computes one head; see ``AttentionCall``.
  public var attention: @Sendable (_ call: AttentionCall) -> Void

  /// Makes a set of kernels, each of which keeps the contract of the property of its name.
  public init(
    name: String,
    packedCount: @escaping @Sendable (Int, Int) -> Int,
    pack:
      @escaping @Sendable (
        UnsafePointer<Float>, Int, Int, Int, Int, UnsafePointer<Float>?, UnsafeMutablePointer<Float>
      ) -> Void,
    multiply: @escaping @Sendable (MatrixCall) -> Void,
    attentionScratch: @escaping @Sendable (Int, Int, Int) -> Int,
    attention: @escaping @Sendable (AttentionCall) -> Void
  ) {
    self.name = name
    self.packedCount = packedCount
    self.pack = pack
    self.multiply = multiply
    self.attentionScratch = attentionScratch
    self.attention = attention
  }
}
