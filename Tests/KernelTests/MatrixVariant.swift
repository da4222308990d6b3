import KernelInterface
import SamTensor
import Testing

/// Matrix kernels under test.
enum MatrixVariant: String, CaseIterable, CustomTestStringConvertible {
  case baseline, avx2, avx512, blas, bfloat16

  var testDescription: String { rawValue }

  /// Its kernels; on a CPU without its instructions the test ends as skipped, by name.
  func kernels() throws -> MatrixKernels {
    let found =
      self == .bfloat16
      ? Kernels.named("avx512").flatMap(Kernels.bfloat16) : Kernels.named(rawValue)?.matrix
    guard let found else {
      try Test.cancel("this CPU lacks the instructions of \(rawValue)")
    }
    return found
  }

  /// What the variant makes of an operand before it multiplies over an inner dimension.
  func operand(_ values: [Float], inner: Int = 32) -> [Float] {
    self == .bfloat16 && Kernels.takesBFloat16(inner: inner) ? values.map(rounded) : values
  }

  /// The nearest bfloat16, ties to even.
  private func rounded(_ x: Float) -> Float {
    guard !x.isNaN else { return x }
    let bits = x.bitPattern
    return Float(bitPattern: (bits &+ 0x7FFF &+ (bits >> 16 & 1)) & 0xFFFF_0000)
  }
}

/// A product to be computed by a variant and by the reference, all its memory guarded.
struct ProductCase {
  enum Residual: CaseIterable { case none, apart, inPlace }

  var rows = 1
  var columns = 1
  var segments = 1
  var segmentLength = 1
  var leftStride = 1
  var segmentStride = 0
  var innerStride = 1
  /// The right operand as it lies in memory, its rows this much longer than `columns`; nil packs it.
  var rowGap: Int?
  var hasBias = true
  var residual = Residual.none
  var activation = Activation.none
  var outputGap = 0

  private var leftCount: Int {
    max(
      0,
      (rows - 1) * leftStride + (segments - 1) * segmentStride + (segmentLength - 1) * innerStride
        + 1)
  }

  /// Computes the case both ways and expects the same; `spoil` may change the operands first.
  func check(
    _ variant: MatrixVariant, spoil: (inout Operands) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var random = RandomFloats(seed: 21)
    let inner = segments * segmentLength
    let outputStride = columns + outputGap
    let outputCount = rows == 0 ? 0 : (rows - 1) * outputStride + columns
    var operands = Operands(
      left: random.values(leftCount, in: -1...1), right: random.values(inner * columns, in: -1...1),
      bias: hasBias ? random.values(columns, in: -1...1) : nil,
      residual: random.values(residual == .none ? 0 : outputCount, in: -1...1))
    spoil(&operands)
    let actual = try run(variant.kernels(), operands, outputCount, sourceLocation)
    // Unpacked operands are multiplied as they are.
    if rowGap == nil {
      operands.left = variant.operand(operands.left, inner: segments * segmentLength)
      operands.right = variant.operand(operands.right, inner: segments * segmentLength)
    }
    let reference = try #require(Kernels.named("reference")).matrix
    let expected = try run(reference, operands, outputCount, sourceLocation)
    // Sums of up to 200 products below 1, each rounded to 24 bits; GELU adds 2.5e-7.
    expectClose(
      actual, expected, absolute: 1e-5, relative: 2e-6, "\(self)", sourceLocation: sourceLocation)
  }

  struct Operands {
    var left: [Float]
    /// Inner × columns.
    var right: [Float]
    var bias: [Float]?
    var residual: [Float]
  }

  /// The whole output, gaps included.
  private func run(
    _ kernels: MatrixKernels, _ operands: Operands, _ outputCount: Int,
    _ sourceLocation: SourceLocation
  ) throws -> [Float] {
    let inner = segments * segmentLength
    let outputStride = columns + outputGap
    let left = GuardedFloats(operands.left)
    let bias = GuardedFloats(operands.bias ?? [])
    let output = GuardedFloats([Float](repeating: 77, count: outputCount))
    let apart = GuardedFloats(operands.residual)
    if residual == .inPlace {
      for i in 0..<outputCount where i % outputStride < columns {
        output.pointer[i] = operands.residual[i]
      }
    }
    let right: GuardedFloats
    let operand: RightOperand
    let biasPointer = operands.bias == nil ? nil : UnsafePointer(bias.pointer)
    if let rowGap {
      let stride = columns + rowGap
      right = GuardedFloats(count: inner == 0 ? 0 : (inner - 1) * stride + columns)
      for i in 0..<right.count {
        right.pointer[i] =
          i % stride < columns ? operands.right[i / stride * columns + i % stride] : .nan
      }
      operand = .rows(right.pointer, stride: stride, bias: biasPointer)
    } else {
      let matrix = GuardedFloats(operands.right)
      right = GuardedFloats(
        [Float](repeating: .nan, count: kernels.packedCount(inner, columns)))
      kernels.pack(matrix.pointer, columns, 1, inner, columns, biasPointer, right.pointer)
      expectGuardsIntact(matrix, right, bias, sourceLocation: sourceLocation)
      operand = .packed(right.pointer)
    }
    let residualPointer: UnsafePointer<Float>? =
      switch residual {
      case .none: nil
      case .apart: UnsafePointer(apart.pointer)
      case .inPlace: UnsafePointer(output.pointer)
      }
    kernels.multiply(
      MatrixCall(
        left: left.pointer, leftStride: leftStride, rows: rows, segments: segments,
        segmentLength: segmentLength, segmentStride: segmentStride, innerStride: innerStride,
        right: operand, columns: columns, residual: residualPointer,
        residualStride: outputStride, activation: activation, output: output.pointer,
        outputStride: outputStride))
    expectGuardsIntact(left, right, bias, apart, output, sourceLocation: sourceLocation)
    return output.values
  }
}
