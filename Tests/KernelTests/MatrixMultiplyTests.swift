import KernelInterface
import KernelsReference
import Testing

/// A product, its operands in guarded memory.
private struct Product {
  var rows: Int
  var columns: Int
  var segments = 1
  var segmentLength: Int
  /// Rows of the left operand overlap as in a 3×3 convolution.
  var overlaps = false
  var innerStride = 1
  var hasBias = true
  var residual = Residual.none
  var activation = Activation.none

  enum Residual { case none, separate, output }

  private var inner: Int { segments * segmentLength }

  /// Multiplies with `kernels` and with the reference, and compares.
  func check(
    _ variant: MatrixVariant, _ kernels: MatrixKernels, packed: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var random = RandomFloats(seed: 22)
    let leftStride = overlaps ? 2 : innerStride == 1 ? inner + 3 : 1
    let segmentStride = overlaps ? rows * 2 + segmentLength : segmentLength * innerStride
    let lastRow = max(0, rows - 1) * leftStride
    let leftCount =
      rows == 0
      ? 0
      : lastRow + (segments - 1) * segmentStride + max(0, segmentLength - 1) * innerStride + 1
    let left = GuardedFloats(random.values(leftCount, in: -1...1))
    let weight = GuardedFloats(random.values(inner * columns, in: -1...1))
    let bias = GuardedFloats(random.values(columns, in: -1...1))
    let outputStride = columns + 5
    let outputCount = rows == 0 ? 0 : (rows - 1) * outputStride + columns
    let before = random.values(outputCount, in: -1...1)
    let residual = GuardedFloats(before)
    let output = GuardedFloats(before)
    let expected = GuardedFloats(before)

    func run(_ kernels: MatrixKernels, _ target: GuardedFloats) {
      let store = GuardedFloats(count: packed ? kernels.packedCount(inner, columns) : 0)
      let right: RightOperand
      if packed {
        kernels.pack(
          weight.pointer, columns, 1, inner, columns, hasBias ? bias.pointer : nil, store.pointer)
        right = .packed(store.pointer)
      } else {
        right = .rows(weight.pointer, stride: columns, bias: hasBias ? bias.pointer : nil)
      }
      var added: UnsafePointer<Float>?
      switch self.residual {
      case .none: added = nil
      case .separate: added = UnsafePointer(residual.pointer)
      case .output: added = UnsafePointer(target.pointer)
      }
      kernels.multiply(
        MatrixCall(
          left: left.pointer, leftStride: leftStride, rows: rows, segments: segments,
          segmentLength: segmentLength, segmentStride: segmentStride, innerStride: innerStride,
          right: right, columns: columns, residual: added, residualStride: outputStride,
          activation: activation, output: target.pointer, outputStride: outputStride))
      expectGuardsIntact(store, target, sourceLocation: sourceLocation)
    }
    run(kernels, output)
    run(referenceMatrixKernels, expected)
    // No term is above 1 in magnitude, so `inner + 2` bounds the sum of their magnitudes.
    let bound = variant.tolerance * Float(inner + 2) + 1e-6
    expectClose(
      output.values, expected.values, absolute: bound, "\(self)",
      sourceLocation: sourceLocation)
    expectGuardsIntact(left, weight, bias, residual, sourceLocation: sourceLocation)
  }
}

struct MatrixMultiplyTests {
  static let columnCounts = [1, 4, 7, 8, 15, 16, 17, 31, 32, 33, 48, 49, 64, 65, 80, 97, 100]

  @Test(arguments: MatrixVariant.allCases, columnCounts)
  func matchesReferenceAtEverySize(_ variant: MatrixVariant, columns: Int) throws {
    let kernels = try variant.kernels()
    for rows in [0, 1, 2, 5, 6, 7, 8, 9, 12, 17] {
      for inner in [1, 2, 3, 16, 33] {
        Product(rows: rows, columns: columns, segmentLength: inner).check(variant, kernels)
      }
    }
  }

  @Test(arguments: MatrixVariant.allCases, Activation.allCases)
  func appliesResidualThenActivation(_ variant: MatrixVariant, _ activation: Activation) throws {
    let kernels = try variant.kernels()
    for residual in [Product.Residual.none, .separate, .output] {
      for columns in [5, 16, 40, 67] {
        Product(
          rows: 11, columns: columns, segmentLength: 9, hasBias: columns != 16, residual: residual,
          activation: activation
        ).check(variant, kernels)
      }
    }
  }

  @Test(arguments: MatrixVariant.allCases)
  func rowsOfAConvolutionOverlap(_ variant: MatrixVariant) throws {
    let kernels = try variant.kernels()
    for columns in [3, 16, 35] {
      Product(rows: 13, columns: columns, segments: 3, segmentLength: 6, overlaps: true)
        .check(variant, kernels)
    }
  }

  @Test(arguments: MatrixVariant.allCases)
  func leftOperandMayBeTransposed(_ variant: MatrixVariant) throws {
    let kernels = try variant.kernels()
    for rows in [1, 8, 19] {
      Product(rows: rows, columns: 20, segmentLength: 7, innerStride: rows).check(variant, kernels)
    }
  }

  @Test(arguments: MatrixVariant.allCases)
  func rightOperandMayStayUnpacked(_ variant: MatrixVariant) throws {
    let kernels = try variant.kernels()
    for columns in [16, 32, 48, 64, 80] {
      for hasBias in [false, true] {
        Product(rows: 10, columns: columns, segmentLength: 21, hasBias: hasBias)
          .check(variant, kernels, packed: false)
      }
    }
  }

  @Test(arguments: MatrixVariant.allCases)
  func transposedMatricesPackAlike(_ variant: MatrixVariant) throws {
    let kernels = try variant.kernels()
    var random = RandomFloats(seed: 23)
    for (inner, columns) in [(1, 1), (5, 17), (8, 48), (33, 70)] {
      let matrix = random.values(inner * columns)
      let transposed = (0..<inner * columns).map { matrix[$0 % inner * columns + $0 / inner] }
      let plain = GuardedFloats(matrix)
      let other = GuardedFloats(transposed)
      let count = kernels.packedCount(inner, columns)
      let first = GuardedFloats(Array(repeating: 0, count: count))
      let second = GuardedFloats(Array(repeating: 0, count: count))
      kernels.pack(plain.pointer, columns, 1, inner, columns, nil, first.pointer)
      kernels.pack(other.pointer, 1, inner, inner, columns, nil, second.pointer)
      #expect(first.values.map(\.bitPattern) == second.values.map(\.bitPattern))
      expectGuardsIntact(plain, other, first, second)
    }
  }

  @Test(arguments: MatrixVariant.allCases)
  func aNaNSpoilsItsOwnRowOrColumnOnly(_ variant: MatrixVariant) throws {
    let kernels = try variant.kernels()
    let (rows, inner, columns) = (10, 6, 37)
    for spoiled in 0..<rows {
      let left = GuardedFloats((0..<rows * inner).map { $0 == spoiled * inner + 2 ? .nan : 1 })
      let weight = GuardedFloats(Array(repeating: 0.5, count: inner * columns))
      let store = GuardedFloats(count: kernels.packedCount(inner, columns))
      let output = GuardedFloats(count: rows * columns)
      kernels.pack(weight.pointer, columns, 1, inner, columns, nil, store.pointer)
      kernels.multiply(
        MatrixCall(
          left: left.pointer, leftStride: inner, rows: rows, segmentLength: inner,
          right: .packed(store.pointer), columns: columns, activation: .relu6,
          output: output.pointer, outputStride: columns))
      expectClose(
        output.values, (0..<rows * columns).map { $0 / columns == spoiled ? .nan : 3 })
      expectGuardsIntact(left, weight, store, output)
    }
  }
}
