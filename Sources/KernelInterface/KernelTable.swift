/// The kernels of one CPU generation: one entry per operation, all behind plain pointers.
///
/// Common contract. Pointers are to initialised memory of at least the stated size and need no
/// alignment. A kernel reads and writes nothing outside it, allocates nothing, throws nothing and
/// starts no thread. Counts may be zero. Maps are channels-last: `rows × columns × channels`.
/// NaN goes through: a NaN input makes the results that depend on it NaN.
public struct KernelTable: Sendable {
  /// Floats that a kernel only reads.
  public typealias Input = UnsafePointer<Float>
  /// Floats that a kernel writes, and also reads where its entry works in place.
  public typealias Output = UnsafeMutablePointer<Float>

  /// `reference`, `baseline`, `avx2` or `avx512`.
  public var name: String

  /// Applies `activation` to `count` values; `output == input` is allowed.
  public var activate:
    @Sendable (_ activation: Activation, _ input: Input, _ output: Output, _ count: Int) -> Void

  /// `output[i] = left[i] + right[i]`; `output` may be either operand.
  public var add: @Sendable (_ left: Input, _ right: Input, _ output: Output, _ count: Int) -> Void

  /// `output[r][c] = (x − mean) / sqrt(variance + epsilon) · weight[c] + bias[c]`, mean and (biased)
  /// variance over the `channels` of row `r`; rows are `inputStride` and `outputStride` floats apart;
  /// in place allowed with equal strides.
  public var layerNorm:
    @Sendable (
      _ input: Input, _ inputStride: Int, _ rows: Int, _ channels: Int,
      _ weight: Input, _ bias: Input, _ epsilon: Float, _ output: Output, _ outputStride: Int
    ) -> Void

  /// Softmax along each row, in place.
  ///
  /// `x = exp(x − max) / Σ exp(x − max)` over the `count ≥ 1` values of each row, rows `stride` apart.
  public var softmax: @Sendable (_ values: Output, _ rows: Int, _ count: Int, _ stride: Int) -> Void

  /// The first half of a softmax down the columns, in place.
  ///
  /// `x[r][c] = exp(x[r][c] − maxima[c])`, `maxima[c]` the largest of column c and `sums[c]` the sum of its results,
  /// over `rows ≥ 1` rows that are `stride` apart.
  ///
  /// Blocks of rows are joined by rescaling with their maxima, so attention over many keys needs no second pass.
  public var columnExponentials:
    @Sendable (
      _ values: Output, _ rows: Int, _ columns: Int, _ stride: Int, _ maxima: Output, _ sums: Output
    ) -> Void

  /// Softmax over the groups of each row, in place.
  ///
  /// Over g of `x[r][g · width + i]`, for each i; `groups ≥ 1`, rows `stride` apart.
  /// With one column per (token, head), token-major, it is the softmax over tokens of every head at once.
  public var groupedSoftmax:
    @Sendable (_ values: Output, _ rows: Int, _ groups: Int, _ width: Int, _ stride: Int) -> Void

  /// One output row of a depthwise convolution.
  ///
  /// `output[x][c] = activation(bias[c] + Σ rows[ky][x · stride + kx − leftPad][c] · weight[ky · size + kx][c])`
  /// with `size × size` taps (`size` 3 or 5), `stride` 1 or 2, for `outputWidth` columns. A `nil` row, and columns
  /// outside `0 ..< inputWidth`, are zero. `leftPad` may be negative: then the row begins further right.
  public var depthwiseConvolution:
    @Sendable (
      _ rows: UnsafePointer<UnsafePointer<Float>?>, _ size: Int, _ stride: Int, _ leftPad: Int,
      _ inputWidth: Int, _ channels: Int, _ weight: Input, _ bias: Input,
      _ activation: Activation, _ output: Output, _ outputWidth: Int
    ) -> Void

  /// The input of a 3×3 convolution with stride 1, for Winograd's F(2×2, 3×3).
  ///
  /// For each of `tiles` tiles of 4 × 4 pixels, 2 pixels apart from `input` on in rows `pitch` floats apart:
  /// `output[4i + j] = (Bᵀ · tile · B)[i][j]` for each of `channels` channels, with B the algorithm's matrix of 0 and ±1.
  /// Plane p of the output begins at `output + p · plane` and holds `tiles × channels` floats.
  public var winogradInput:
    @Sendable (
      _ input: Input, _ pitch: Int, _ channels: Int, _ tiles: Int, _ output: Output, _ plane: Int
    ) -> Void

  /// The results of the same convolution.
  ///
  /// For each tile the 2 × 2 pixels `Aᵀ · product · A` of the planes' products, laid out as
  /// ``winogradInput``'s, from `output` on, rows `pitch` and pixels `pixelStride` floats apart.
  public var winogradOutput:
    @Sendable (
      _ products: Input, _ plane: Int, _ channels: Int, _ tiles: Int, _ output: Output,
      _ pitch: Int, _ pixelStride: Int
    ) -> Void

  /// `output[i] = top[i] + (bottom[i] − top[i]) · fraction`; the vertical pass of a bilinear resize.
  public var interpolate:
    @Sendable (_ top: Input, _ bottom: Input, _ fraction: Float, _ output: Output, _ count: Int) ->
      Void

  /// `output[i] = row[left[i]] + (row[right[i]] − row[left[i]]) · fraction[i]`; the horizontal pass.
  public var gatherInterpolate:
    @Sendable (
      _ row: Input, _ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>, _ fraction: Input,
      _ output: Output, _ count: Int
    ) -> Void

  /// `output[i] = round(255 · sigmoid(logits[i]))`, where 128 and above is exactly a logit above 0; NaN gives 0.
  ///
  /// The half above 0 rounds to nearest even; the other half is its mirror image, `255 − output(−x)`, so
  /// that 0, whose 127.5 is a tie, gives 127.
  public var sigmoidBytes:
    @Sendable (_ logits: Input, _ output: UnsafeMutablePointer<UInt8>, _ count: Int) -> Void

  /// Packed-weight matrix product with a fused epilogue; see ``MatrixKernels``.
  public var matrix: MatrixKernels

  /// Makes a table of kernels, each of which keeps the contract of the property of its name.
  public init(
    name: String,
    activate: @escaping @Sendable (Activation, Input, Output, Int) -> Void,
    add: @escaping @Sendable (Input, Input, Output, Int) -> Void,
    layerNorm:
      @escaping @Sendable (Input, Int, Int, Int, Input, Input, Float, Output, Int) -> Void,
    softmax: @escaping @Sendable (Output, Int, Int, Int) -> Void,
    columnExponentials: @escaping @Sendable (Output, Int, Int, Int, Output, Output) -> Void,
    groupedSoftmax: @escaping @Sendable (Output, Int, Int, Int, Int) -> Void,
    depthwiseConvolution:
      @escaping @Sendable (
        UnsafePointer<UnsafePointer<Float>?>, Int, Int, Int, Int, Int, Input, Input, Activation,
        Output, Int
      ) -> Void,
    winogradInput: @escaping @Sendable (Input, Int, Int, Int, Output, Int) -> Void,
    winogradOutput: @escaping @Sendable (Input, Int, Int, Int, Output, Int, Int) -> Void,
    interpolate: @escaping @Sendable (Input, Input, Float, Output, Int) -> Void,
    gatherInterpolate:
      @escaping @Sendable (
        Input, UnsafePointer<Int32>, UnsafePointer<Int32>, Input, Output, Int
      ) -> Void,
    sigmoidBytes: @escaping @Sendable (Input, UnsafeMutablePointer<UInt8>, Int) -> Void,
    matrix: MatrixKernels
  ) {
    self.name = name
    self.activate = activate
    self.add = add
    self.layerNorm = layerNorm
    self.softmax = softmax
    self.columnExponentials = columnExponentials
    self.groupedSoftmax = groupedSoftmax
    self.depthwiseConvolution = depthwiseConvolution
    self.winogradInput = winogradInput
    self.winogradOutput = winogradOutput
    self.interpolate = interpolate
    self.gatherInterpolate = gatherInterpolate
    self.sigmoidBytes = sigmoidBytes
    self.matrix = matrix
  }
}
