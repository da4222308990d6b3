import KernelsReference
import Testing

struct LayerNormTests {
  @Test(arguments: SizedVariant.filled, [0, 1, 2, 4, 7])
  func matchesReferenceAndLeavesGapsAlone(_ sized: SizedVariant, rows: Int) throws {
    let table = try sized.variant.table()
    let channels = sized.size
    let (inputStride, outputStride) = (channels + 5, channels + 3)
    var random = RandomFloats(seed: 6)
    let input = GuardedFloats(random.values(rows * inputStride))
    let weight = GuardedFloats(random.values(channels))
    let bias = GuardedFloats(random.values(channels))
    let output = GuardedFloats(Array(repeating: 77, count: rows * outputStride))
    let expected = GuardedFloats(output.values)
    table.layerNorm(
      input.pointer, inputStride, rows, channels, weight.pointer, bias.pointer, 1e-5,
      output.pointer, outputStride)
    referenceKernels.layerNorm(
      input.pointer, inputStride, rows, channels, weight.pointer, bias.pointer, 1e-5,
      expected.pointer, outputStride)
    // Normalised values stay below the root of the channels (15), times weights below 3. One
    // channel alone normalises to 0.
    expectClose(output.values, expected.values, absolute: 4e-6, relative: 2e-6)
    expectGuardsIntact(input, weight, bias, output, expected)
  }

  @Test(arguments: SizedVariant.filled)
  func worksInPlace(_ sized: SizedVariant) throws {
    let table = try sized.variant.table()
    let (channels, rows) = (sized.size, 6)
    var random = RandomFloats(seed: 7)
    let values = GuardedFloats(random.values(rows * channels))
    let weight = GuardedFloats(random.values(channels))
    let bias = GuardedFloats(random.values(channels))
    let output = GuardedFloats(count: rows * channels)
    table.layerNorm(
      values.pointer, channels, rows, channels, weight.pointer, bias.pointer, 1e-6,
      output.pointer, channels)
    table.layerNorm(
      values.pointer, channels, rows, channels, weight.pointer, bias.pointer, 1e-6,
      values.pointer, channels)
    #expect(values.values == output.values)
    expectGuardsIntact(values, weight, bias, output)
  }

  @Test(arguments: KernelVariant.allCases)
  func largeMeansDoNotCancel(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let (channels, rows) = (160, 5)
    var random = RandomFloats(seed: 8)
    let input = GuardedFloats(random.values(rows * channels, in: 9_999...10_001))
    let ones = GuardedFloats(Array(repeating: 1, count: channels))
    let zeros = GuardedFloats(Array(repeating: 0, count: channels))
    let output = GuardedFloats(count: rows * channels)
    let expected = GuardedFloats(count: rows * channels)
    table.layerNorm(
      input.pointer, channels, rows, channels, ones.pointer, zeros.pointer, 1e-5, output.pointer,
      channels)
    referenceKernels.layerNorm(
      input.pointer, channels, rows, channels, ones.pointer, zeros.pointer, 1e-5,
      expected.pointer, channels)
    // The mean of floats near 10,000 is good to 0.001 (one unit in their last place), which the
    // standard deviation of 0.6 makes 0.002. E[x²] − E[x]² would be off by more than 1.
    expectClose(output.values, expected.values, absolute: 3e-3)
    expectGuardsIntact(input, ones, zeros, output, expected)
  }

  @Test(arguments: KernelVariant.allCases)
  func aNaNSpoilsItsOwnRowOnly(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let (channels, rows) = (2 * variant.width + 1, 6)
    let one = GuardedFloats(Array(repeating: 1, count: channels))
    for spoiled in 0..<rows {
      var random = RandomFloats(seed: 9)
      let input = GuardedFloats(random.values(rows * channels))
      input.pointer[spoiled * channels + spoiled] = spoiled % 2 == 0 ? .nan : .infinity
      let output = GuardedFloats(count: rows * channels)
      table.layerNorm(
        input.pointer, channels, rows, channels, one.pointer, one.pointer, 1e-5, output.pointer,
        channels)
      for (i, value) in output.values.enumerated() {
        #expect(value.isNaN == (i / channels == spoiled))
      }
      expectGuardsIntact(input, output)
    }
    expectGuardsIntact(one)
  }

  @Test(arguments: KernelVariant.allCases)
  func constantRowsBecomeTheBias(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let channels = 3 * variant.width
    let input = GuardedFloats(Array(repeating: 4, count: channels))
    var random = RandomFloats(seed: 10)
    let bias = GuardedFloats(random.values(channels))
    let output = GuardedFloats(count: channels)
    table.layerNorm(
      input.pointer, channels, 1, channels, bias.pointer, bias.pointer, 1e-5, output.pointer,
      channels)
    #expect(output.values == bias.values)
    expectGuardsIntact(input, bias, output)
  }

  /// So that results do not depend on how the rows were shared out.
  @Test(arguments: SizedVariant.filled)
  func aRowIsTheSameAloneAndAmongOthers(_ sized: SizedVariant) throws {
    let table = try sized.variant.table()
    let (channels, rows) = (sized.size, 7)
    var random = RandomFloats(seed: 15)
    let input = GuardedFloats(random.values(rows * channels))
    let weight = GuardedFloats(random.values(channels))
    let together = GuardedFloats(count: rows * channels)
    let alone = GuardedFloats(count: rows * channels)
    func normalise(_ output: GuardedFloats, from row: Int, rows: Int) {
      table.layerNorm(
        input.pointer + row * channels, channels, rows, channels, weight.pointer, weight.pointer,
        1e-5, output.pointer + row * channels, channels)
    }
    normalise(together, from: 0, rows: rows)
    for row in 0..<rows { normalise(alone, from: row, rows: 1) }
    #expect(together.values == alone.values)
    expectGuardsIntact(input, weight, together, alone)
  }
}
