import KernelInterface
import KernelsReference
import Testing

/// Products against the reference's, at sizes around the edges of tiles and panels.
struct MatrixMultiplyTests {
  /// Tiles have 6 or 8 rows.
  static let rows = [1, 5, 6, 7, 8, 9, 17]
  /// Panels have up to 48 columns.
  static let columns = [1, 15, 16, 17, 31, 33, 47, 48, 49, 63, 64, 65, 113]
  static let inner = [1, 2, 3, 7, 64]

  @Test func theReferenceMultipliesByHand() {
    // (1 2; 3 4; 5 6) · (1 10; 100 1000) + (0.5, −5000), ReLU.
    let left: [Float] = [1, 2, 3, 4, 5, 6]
    let matrix: [Float] = [1, 10, 100, 1000]
    var packed = [Float](repeating: 0, count: referenceMatrixKernels.packedCount(2, 2))
    referenceMatrixKernels.pack(matrix, 2, 1, 2, 2, [0.5, -5000], &packed)
    var output = [Float](repeating: 0, count: 6)
    left.withUnsafeBufferPointer { left in
      packed.withUnsafeBufferPointer { packed in
        output.withUnsafeMutableBufferPointer { output in
          guard let l = left.baseAddress, let p = packed.baseAddress, let o = output.baseAddress
          else { return }
          referenceMatrixKernels.multiply(
            MatrixCall(
              left: l, leftStride: 2, rows: 3, segmentLength: 2, right: .packed(p), columns: 2,
              activation: .relu, output: o, outputStride: 2))
        }
      }
    }
    #expect(output == [201.5, 0, 403.5, 0, 605.5, 1050])
  }

  @Test(arguments: MatrixVariant.allCases, rows)
  func packedProductsMatchTheReference(_ variant: MatrixVariant, rows: Int) throws {
    var turn = 0
    for columns in Self.columns {
      for inner in Self.inner {
        turn += 1
        try ProductCase(
          rows: rows, columns: columns, segmentLength: inner, leftStride: inner + turn % 3,
          hasBias: turn % 4 > 0, residual: ProductCase.Residual.allCases[turn % 3],
          activation: Activation.allCases[turn / 3 % 4], outputGap: turn % 2 * 3
        ).check(variant)
      }
    }
  }

  @Test(arguments: MatrixVariant.allCases, Activation.allCases)
  func everyEpilogueMatchesTheReference(_ variant: MatrixVariant, _ activation: Activation) throws {
    for residual in ProductCase.Residual.allCases {
      for hasBias in [false, true] {
        for (rows, columns) in [(9, 49), (13, 64), (6, 7)] {
          try ProductCase(
            rows: rows, columns: columns, segmentLength: 9, leftStride: 9, hasBias: hasBias,
            residual: residual, activation: activation, outputGap: 1
          ).check(variant)
        }
      }
    }
  }

  /// The right operand as it lies in memory; its columns are a multiple of 16.
  @Test(arguments: MatrixVariant.allCases, rows)
  func unpackedProductsMatchTheReference(_ variant: MatrixVariant, rows: Int) throws {
    for columns in [16, 32, 48, 64, 80, 112, 256] {
      for inner in Self.inner {
        for rowGap in [0, 5] {
          try ProductCase(
            rows: rows, columns: columns, segmentLength: inner, leftStride: inner, rowGap: rowGap,
            hasBias: inner % 2 == 0, residual: rowGap == 0 ? .none : .inPlace
          ).check(variant)
        }
      }
    }
  }

  /// A 3×3 convolution: three segments, in each of which neighbouring rows overlap.
  @Test(arguments: MatrixVariant.allCases, [1, 2])
  func overlappingRowsMatchTheReference(_ variant: MatrixVariant, stride: Int) throws {
    for channels in [1, 3, 8, 21] {
      for width in [1, 6, 9, 14] {
        let pitch = ((width - 1) * stride + 3) * channels
        try ProductCase(
          rows: width, columns: 40, segments: 3, segmentLength: 3 * channels,
          leftStride: stride * channels, segmentStride: pitch, activation: .relu
        ).check(variant)
      }
    }
  }

  /// A 2×2 convolution with stride 2: two segments side by side.
  @Test(arguments: MatrixVariant.allCases)
  func segmentsApartMatchTheReference(_ variant: MatrixVariant) throws {
    for channels in [1, 5, 16] {
      try ProductCase(
        rows: 7, columns: 33, segments: 2, segmentLength: 2 * channels, leftStride: 2 * channels,
        segmentStride: 14 * channels + 6
      ).check(variant)
    }
  }

  /// Rows are neighbours and the inner dimension strides: a transposed left operand.
  @Test(arguments: MatrixVariant.allCases, rows)
  func transposedLeftOperandsMatchTheReference(_ variant: MatrixVariant, rows: Int) throws {
    for inner in Self.inner {
      for (columns, rowGap) in [(48, 0), (64, 16), (16, 0), (33, nil), (64, nil)] as [(Int, Int?)] {
        try ProductCase(
          rows: rows, columns: columns, segmentLength: inner, leftStride: 1,
          innerStride: rows + inner % 2 * 9, rowGap: rowGap, hasBias: rowGap == nil
        ).check(variant)
      }
    }
  }

  @Test(arguments: MatrixVariant.allCases)
  func noRowsWriteNothing(_ variant: MatrixVariant) throws {
    try ProductCase(rows: 0, columns: 33, segmentLength: 4, leftStride: 4).check(variant)
    try ProductCase(rows: 0, columns: 32, segmentLength: 4, leftStride: 4, rowGap: 0).check(variant)
  }

  // MARK: Packing

  @Test(arguments: MatrixVariant.allCases)
  func aTransposedMatrixPacksTheSame(_ variant: MatrixVariant) throws {
    let kernels = try variant.kernels()
    for columns in Self.columns {
      for inner in [1, 2, 7] {
        var random = RandomFloats(seed: 22)
        let rowMajor = random.values(inner * columns)
        let transposed = (0..<columns).flatMap { n in
          (0..<inner).map { rowMajor[$0 * columns + n] }
        }
        let zeros = GuardedFloats([Float](repeating: 0, count: columns))
        let count = kernels.packedCount(inner, columns)
        let (a, b) = (GuardedFloats(count: count), GuardedFloats(count: count))
        let (left, right) = (GuardedFloats(rowMajor), GuardedFloats(transposed))
        kernels.pack(left.pointer, columns, 1, inner, columns, zeros.pointer, a.pointer)
        kernels.pack(right.pointer, 1, inner, inner, columns, nil, b.pointer)
        #expect(a.values.map(\.bitPattern) == b.values.map(\.bitPattern))
        expectGuardsIntact(zeros, left, right, a, b)
      }
    }
  }

  // MARK: NaN

  @Test(arguments: MatrixVariant.allCases, Activation.allCases)
  func aNaNInARowSpoilsThatRowOnly(_ variant: MatrixVariant, _ activation: Activation) throws {
    for spoiled in [0, 5, 8] {
      try ProductCase(
        rows: 9, columns: 50, segmentLength: 6, leftStride: 6, activation: activation
      ).check(variant) { $0.left[spoiled * 6 + spoiled % 6] = .nan }
    }
  }

  @Test(arguments: MatrixVariant.allCases, Activation.allCases)
  func aNaNInAColumnSpoilsThatColumnOnly(
    _ variant: MatrixVariant, _ activation: Activation
  ) throws {
    for spoiled in [0, 17, 49] {
      let product = ProductCase(
        rows: 9, columns: 50, segmentLength: 5, leftStride: 5, residual: .apart,
        activation: activation)
      try product.check(variant) { $0.right[3 * 50 + spoiled] = .nan }
      try product.check(variant) { $0.bias?[spoiled] = .nan }
      try product.check(variant) { $0.residual[2 * 50 + spoiled] = .nan }
    }
  }

  @Test(arguments: MatrixVariant.allCases)
  func infinityTimesZeroIsNaN(_ variant: MatrixVariant) throws {
    try ProductCase(rows: 9, columns: 32, segmentLength: 3, leftStride: 3).check(variant) {
      $0.left[4] = .infinity
      for n in 8..<16 { $0.right[32 + n] = 0 }
    }
  }
}
