import KernelInterface
import KernelsReference
import SamTensor
import Testing

/// One head of attention against the reference's.
struct AttentionTests {
  static let counts = [1, 3, 7, 9, 13, 17, 25, 31, 33, 49, 50]
  static let variants = MatrixVariant.allCases

  @Test(arguments: variants, [8, 16, 32])
  func matchesTheReference(_ variant: MatrixVariant, dimension: Int) throws {
    for queries in Self.counts {
      for keys in Self.counts {
        for hasBias in [false, true] {
          try HeadCase(queries: queries, keys: keys, dimension: dimension, hasBias: hasBias)
            .check(variant)
        }
      }
    }
  }

  /// Dimensions of other models: not a multiple of any vector.
  @Test(arguments: variants, [1, 4, 20, 40])
  func matchesTheReferenceAtOtherDimensions(_ variant: MatrixVariant, dimension: Int) throws {
    for (queries, keys) in [(1, 1), (7, 49), (49, 7), (20, 33)] {
      try HeadCase(queries: queries, keys: keys, dimension: dimension, hasBias: true).check(variant)
    }
  }

  /// 14 × 14 windows, the largest of MobileSAM.
  @Test(arguments: variants)
  func matchesTheReferenceOnAWholeWindow(_ variant: MatrixVariant) throws {
    try HeadCase(queries: 196, keys: 196, dimension: 32, hasBias: true).check(variant)
  }

  @Test(arguments: variants)
  func largeScoresDoNotOverflow(_ variant: MatrixVariant) throws {
    try HeadCase(queries: 9, keys: 33, dimension: 16, hasBias: true, scale: 500).check(variant)
  }

  @Test(arguments: variants)
  func aNaNInAQuerySpoilsItsResultOnly(_ variant: MatrixVariant) throws {
    let head = HeadCase(queries: 10, keys: 17, dimension: 16, hasBias: true)
    let output = try head.run(variant.kernels()) { $0.query[3 * head.stride + 2] = .nan }
    for (i, value) in output.enumerated() where i % head.outputStride < 16 {
      #expect(value.isNaN == (i / head.outputStride == 3), "value \(i)")
    }
  }

  @Test(arguments: variants)
  func aNaNInAKeySpoilsEveryResult(_ variant: MatrixVariant) throws {
    let head = HeadCase(queries: 10, keys: 17, dimension: 16, hasBias: false)
    let output = try head.run(variant.kernels()) { $0.key[16 * head.stride] = .nan }
    for (i, value) in output.enumerated() where i % head.outputStride < 16 {
      #expect(value.isNaN, "value \(i)")
    }
  }

  @Test(arguments: variants)
  func aNaNInAValueSpoilsItsChannelOnly(_ variant: MatrixVariant) throws {
    let head = HeadCase(queries: 10, keys: 17, dimension: 16, hasBias: false)
    let output = try head.run(variant.kernels()) { $0.value[5 * head.stride + 7] = .nan }
    for (i, value) in output.enumerated() where i % head.outputStride < 16 {
      #expect(value.isNaN == (i % head.outputStride == 7), "value \(i)")
    }
  }
}

/// One head, its queries, keys and values in rows with gaps between, as a joint projection leaves them.
private struct HeadCase {
  var queries: Int
  var keys: Int
  var dimension: Int
  var hasBias: Bool
  var scale: Float = 0.4

  var stride: Int { 2 * dimension + 3 }
  var outputStride: Int { dimension + 5 }
  /// Keys in a row of the window, whose last row may be incomplete.
  private var width: Int { [1, 5, 7, 14, 16, 20][(queries + keys) % 6] }
  /// So that queries begin in the middle of a row.
  private var firstQuery: Int { queries % 4 }

  struct Operands {
    var query: [Float]
    var key: [Float]
    var value: [Float]
  }

  func check(
    _ variant: MatrixVariant, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let actual = try run(variant.kernels(), sourceLocation: sourceLocation)
    let expected: [Float]
    // Weights add up to 1 and values are below 1. A score's rounding error, some 1e-6 times the scale, is a relative
    // error of its weight.
    var tolerance = 4e-6 * max(1, scale / 4)
    if variant == .bfloat16 {
      // What is left beside the rounded operands: each weight's own rounding, at most 2⁻⁸ of it.
      tolerance += 0x1p-8
      var scaled = self
      scaled.scale = 1
      expected = try scaled.run(
        referenceMatrixKernels,
        spoil: {
          $0.query = variant.operand($0.query.map { $0 * scale })
          $0.key = variant.operand($0.key)
          $0.value = variant.operand($0.value)
        }, sourceLocation: sourceLocation)
    } else {
      expected = try run(referenceMatrixKernels, sourceLocation: sourceLocation)
    }
    expectClose(
      actual, expected, absolute: tolerance, "\(self)", sourceLocation: sourceLocation)
  }

  /// The output with its gaps.
  func run(
    _ kernels: MatrixKernels, spoil: (inout Operands) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Float] {
    var random = RandomFloats(seed: 23)
    func rows(_ count: Int, _ width: Int, _ stride: Int) -> [Float] {
      random.values((count - 1) * stride + width, in: -1...1)
    }
    var operands = Operands(
      query: rows(queries, dimension, stride), key: rows(keys, dimension, stride),
      value: rows(keys, dimension, stride))
    let bias = GuardedFloats(
      random.values(
        (max(firstQuery + queries, keys) / width + 1) * DistanceBias.rowStride(width: width),
        in: -1...1))
    spoil(&operands)
    let query = GuardedFloats(operands.query)
    let key = GuardedFloats(operands.key)
    let value = GuardedFloats(operands.value)
    let output = GuardedFloats(
      [Float](repeating: 77, count: (queries - 1) * outputStride + dimension))
    let scratch = GuardedFloats(
      [Float](repeating: .nan, count: kernels.attentionScratch(queries, keys, dimension)))
    kernels.attention(
      AttentionCall(
        query: query.pointer, queryStride: stride, queries: queries, key: key.pointer,
        keyStride: stride, value: value.pointer, valueStride: stride, keys: keys,
        dimension: dimension, scale: scale,
        bias: hasBias
          ? DistanceBias(table: bias.pointer, width: width, firstQuery: firstQuery) : nil,
        output: output.pointer, outputStride: outputStride,
        scratch: scratch.pointer))
    expectGuardsIntact(
      query, key, value, bias, output, scratch, sourceLocation: sourceLocation)
    return output.values
  }
}
