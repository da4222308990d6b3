import KernelInterface
import KernelsReference
import Testing

/// One output row's operands; the output has guards on both sides.
private struct DepthwiseRowCase {
  let size: Int
  let stride: Int
  let leftPad: Int
  let inputWidth: Int
  let channels: Int
  let outputWidth: Int
  let activation: Activation
  var missing: Set<Int> = []

  private static func operands(
    _ row: Self
  ) -> (rows: [GuardedFloats?], weight: GuardedFloats, bias: GuardedFloats) {
    var random = RandomFloats(seed: 13)
    let rows = (0..<row.size).map { ky in
      row.missing.contains(ky)
        ? nil : GuardedFloats(random.values(row.inputWidth * row.channels))
    }
    return (
      rows, GuardedFloats(random.values(row.size * row.size * row.channels)),
      GuardedFloats(random.values(row.channels))
    )
  }

  /// Runs `table` and the reference on the same values.
  func check(_ table: KernelTable, sourceLocation: SourceLocation = #_sourceLocation) {
    let (rows, weight, bias) = Self.operands(self)
    let pointers = rows.map { $0.map { UnsafePointer($0.pointer) } }
    let output = GuardedFloats(count: outputWidth * channels)
    let expected = GuardedFloats(count: outputWidth * channels)
    for (kernels, target) in [(table, output), (referenceKernels, expected)] {
      kernels.depthwiseConvolution(
        pointers, size, stride, leftPad, inputWidth, channels, weight.pointer, bias.pointer,
        activation, target.pointer, outputWidth)
    }
    // Up to 25 products below 9 in another order, or fused: a few roundings of sums below 225.
    expectClose(
      output.values, expected.values, absolute: 3e-5, relative: 1e-6, "\(self)",
      sourceLocation: sourceLocation)
    expectGuardsIntact(weight, bias, output, expected, sourceLocation: sourceLocation)
    for case let row? in rows { expectGuardsIntact(row, sourceLocation: sourceLocation) }
  }
}

struct DepthwiseConvolutionTests {
  /// Kernel size and stride.
  static let forms = [[3, 1], [3, 2], [5, 1], [5, 2]]

  @Test(arguments: KernelVariant.allCases, forms)
  func matchesReferenceAtEveryChannelCount(_ variant: KernelVariant, _ form: [Int]) throws {
    let table = try variant.table()
    let w = variant.width
    for channels in [0, 1, w - 1, w, w + 1, 2 * w + 3, 4 * w, 64, 67, 131] {
      for activation in Activation.allCases {
        DepthwiseRowCase(
          size: form[0], stride: form[1], leftPad: form[0] / 2, inputWidth: 23,
          channels: channels, outputWidth: (23 - 1) / form[1] + 1, activation: activation
        ).check(table)
      }
    }
  }

  @Test(arguments: KernelVariant.allCases, forms)
  func matchesReferenceAtEveryWidthAndPadding(_ variant: KernelVariant, _ form: [Int]) throws {
    let table = try variant.table()
    let (size, stride) = (form[0], form[1])
    for inputWidth in Array(1...20) + [37] {
      for leftPad in 0...size / 2 {
        // From nothing to beyond the right edge.
        for outputWidth in Set([0, 1, inputWidth / stride, (inputWidth - 1) / stride + 1]) {
          DepthwiseRowCase(
            size: size, stride: stride, leftPad: leftPad, inputWidth: inputWidth,
            channels: variant.width + 1, outputWidth: outputWidth, activation: .none
          ).check(table)
        }
      }
    }
  }

  @Test(arguments: KernelVariant.allCases, forms)
  func missingRowsAreZero(_ variant: KernelVariant, _ form: [Int]) throws {
    let table = try variant.table()
    let size = form[0]
    for missing in [[0], [size - 1], [0, 1], [size - 2, size - 1], Array(0..<size)] {
      DepthwiseRowCase(
        size: size, stride: form[1], leftPad: size / 2, inputWidth: 21,
        channels: 2 * variant.width, outputWidth: (21 - 1) / form[1] + 1, activation: .gelu,
        missing: Set(missing)
      ).check(table)
    }
  }

  @Test(arguments: KernelVariant.allCases, forms)
  func aNaNReachesTheOutputsThatReadItOnly(_ variant: KernelVariant, _ form: [Int]) throws {
    let table = try variant.table()
    let (size, stride, width) = (form[0], form[1], 24)
    let channels = variant.width + 2
    let outputWidth = (width - 1) / stride + 1
    for spoiled in 0..<width {
      let channel = spoiled % channels
      var random = RandomFloats(seed: 14)
      let rows = (0..<size).map { _ in GuardedFloats(random.values(width * channels)) }
      rows[1].pointer[spoiled * channels + channel] = .nan
      let weight = GuardedFloats(random.values(size * size * channels, in: 0.5...1))
      let bias = GuardedFloats(random.values(channels))
      let output = GuardedFloats(count: outputWidth * channels)
      table.depthwiseConvolution(
        rows.map { UnsafePointer($0.pointer) }, size, stride, size / 2, width, channels,
        weight.pointer, bias.pointer, .relu6, output.pointer, outputWidth)
      for (i, value) in output.values.enumerated() {
        let first = i / channels * stride - size / 2
        let reads = (first..<first + size).contains(spoiled) && i % channels == channel
        #expect(value.isNaN == reads, "column \(i / channels), channel \(i % channels)")
      }
      for row in rows { expectGuardsIntact(row) }
      expectGuardsIntact(weight, bias, output)
    }
  }

  /// So that results do not depend on how a map was cut into tiles.
  @Test(arguments: KernelVariant.allCases, forms)
  func aColumnIsTheSameAloneAndAmongOthers(_ variant: KernelVariant, _ form: [Int]) throws {
    let table = try variant.table()
    let (size, stride, width, channels) = (form[0], form[1], 37, 5 * variant.width)
    let outputWidth = (width - 1) / stride + 1
    var random = RandomFloats(seed: 17)
    let rows = (0..<size).map { _ in GuardedFloats(random.values(width * channels)) }
    let weight = GuardedFloats(random.values(size * size * channels))
    let bias = GuardedFloats(random.values(channels))
    let together = GuardedFloats(count: outputWidth * channels)
    func convolve(_ output: GuardedFloats, from column: Int, columns: Int) {
      table.depthwiseConvolution(
        rows.map { UnsafePointer($0.pointer) }, size, stride, size / 2 - column * stride, width,
        channels, weight.pointer, bias.pointer, .gelu, output.pointer, columns)
    }
    convolve(together, from: 0, columns: outputWidth)
    for column in 0..<outputWidth {
      let alone = GuardedFloats(count: channels)
      convolve(alone, from: column, columns: 1)
      #expect(alone.values == Array(together.values[column * channels..<(column + 1) * channels]))
      expectGuardsIntact(alone)
    }
    for row in rows { expectGuardsIntact(row) }
    expectGuardsIntact(weight, bias, together)
  }
}
