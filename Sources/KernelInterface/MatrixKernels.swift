/// The left operand and the epilogue of one packed matrix product.
///
/// `output[m][n] = activation(bias[n] + residual[m][n] + Σ_s Σ_k left[m · leftStride + s · segmentStride + k] · weight[s · segmentLength + k][n])`
///
/// The left rows may overlap: a 3×3 convolution over a zero-bordered channels-last map is the product
/// with three segments (one per kernel row) of `3 · channels` values each and `leftStride = stride · channels`.
@frozen
public struct MatrixCall {
  /// Left operand: row `m` begins at `left + m · leftStride`.
  public var left: UnsafePointer<Float>
  public var leftStride: Int
  /// Rows of the result.
  public var rows: Int
  /// The inner dimension is `segments · segmentLength`.
  public var segments: Int
  public var segmentLength: Int
  public var segmentStride: Int
  /// Weights in the layout of ``MatrixKernels/pack``, and one bias per column.
  public var weight: UnsafePointer<Float>
  public var bias: UnsafePointer<Float>
  /// Columns of the result.
  public var columns: Int
  /// Added before the activation where not nil; may be the output.
  public var residual: UnsafePointer<Float>?
  public var residualStride: Int
  public var activation: Activation
  public var output: UnsafeMutablePointer<Float>
  public var outputStride: Int

  public init(
    left: UnsafePointer<Float>, leftStride: Int, rows: Int, segments: Int = 1, segmentLength: Int,
    segmentStride: Int = 0, weight: UnsafePointer<Float>, bias: UnsafePointer<Float>, columns: Int,
    residual: UnsafePointer<Float>? = nil, residualStride: Int = 0, activation: Activation = .none,
    output: UnsafeMutablePointer<Float>, outputStride: Int
  ) {
    self.left = left
    self.leftStride = leftStride
    self.rows = rows
    self.segments = segments
    self.segmentLength = segmentLength
    self.segmentStride = segmentStride
    self.weight = weight
    self.bias = bias
    self.columns = columns
    self.residual = residual
    self.residualStride = residualStride
    self.activation = activation
    self.output = output
    self.outputStride = outputStride
  }
}

/// The matrix product of one CPU generation and the weight layout that it wants.
public struct MatrixKernels: Sendable {
  /// Floats that the packed form of an `inner × columns` matrix takes.
  public var packedCount: @Sendable (_ inner: Int, _ columns: Int) -> Int

  /// Packs a row-major `inner × columns` matrix into `packed`, which holds `packedCount` floats.
  public var pack:
    @Sendable (
      _ matrix: UnsafePointer<Float>, _ inner: Int, _ columns: Int,
      _ packed: UnsafeMutablePointer<Float>
    ) -> Void

  /// Computes one product; see ``MatrixCall``.
  public var multiply: @Sendable (_ call: MatrixCall) -> Void

  public init(
    packedCount: @escaping @Sendable (Int, Int) -> Int,
    pack: @escaping @Sendable (UnsafePointer<Float>, Int, Int, UnsafeMutablePointer<Float>) -> Void,
    multiply: @escaping @Sendable (MatrixCall) -> Void
  ) {
    self.packedCount = packedCount
    self.pack = pack
    self.multiply = multiply
  }
}
