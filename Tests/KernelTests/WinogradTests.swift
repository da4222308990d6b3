import KernelsReference
import Testing

/// Winograd's transforms against their matrices, and the algorithm against a plain convolution.
struct WinogradTests {
  @Test(arguments: SizedVariant.filled, [1, 3])
  func inputEqualsItsMatrices(_ sized: SizedVariant, tiles: Int) throws {
    let table = try sized.variant.table()
    let channels = sized.size
    // A row of `tiles` tiles, and what lies beside it.
    let pitch = (2 * tiles + 2) * channels + 5
    let plane = tiles * channels + 3
    var random = RandomFloats(seed: 31)
    let input = GuardedFloats(random.values(3 * pitch + (2 * tiles + 2) * channels))
    let output = GuardedFloats(filled(15 * plane + tiles * channels))
    let expected = GuardedFloats(output.values)
    table.winogradInput(input.pointer, pitch, channels, tiles, output.pointer, plane)
    referenceKernels.winogradInput(
      input.pointer, pitch, channels, tiles, expected.pointer, plane)
    expectClose(output.values, expected.values, absolute: 2e-6)
    expectGuardsIntact(input, output, expected)
  }

  @Test(arguments: SizedVariant.filled, [1, 3])
  func outputEqualsItsMatrices(_ sized: SizedVariant, tiles: Int) throws {
    let table = try sized.variant.table()
    let channels = sized.size
    let plane = tiles * channels + 3
    let pixelStride = channels + 2
    let pitch = 2 * tiles * pixelStride + 7
    var random = RandomFloats(seed: 32)
    let products = GuardedFloats(random.values(15 * plane + tiles * channels))
    let output = GuardedFloats(filled(pitch + (2 * tiles - 1) * pixelStride + channels))
    let expected = GuardedFloats(output.values)
    table.winogradOutput(
      products.pointer, plane, channels, tiles, output.pointer, pitch, pixelStride)
    referenceKernels.winogradOutput(
      products.pointer, plane, channels, tiles, expected.pointer, pitch, pixelStride)
    expectClose(output.values, expected.values, absolute: 4e-6)
    expectGuardsIntact(products, output, expected)
  }

  /// One channel, one tile: transform, multiply, transform back.
  @Test(arguments: KernelVariant.allCases)
  func bothTransformsMakeAConvolution(_ variant: KernelVariant) throws {
    let table = try variant.table()
    var random = RandomFloats(seed: 33)
    let input = random.values(16)
    let kernel = random.values(9)
    let planes = GuardedFloats(count: 16)
    table.winogradInput(input, 4, 1, 1, planes.pointer, 1)
    let g: [[Float]] = [[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]]
    for i in 0..<4 {
      for j in 0..<4 {
        var weight: Float = 0
        for y in 0..<3 {
          for x in 0..<3 { weight += g[i][y] * kernel[3 * y + x] * g[j][x] }
        }
        planes.pointer[4 * i + j] *= weight
      }
    }
    let output = GuardedFloats(count: 4)
    table.winogradOutput(planes.pointer, 1, 1, 1, output.pointer, 2, 1)
    let expected: [Float] = (0..<4).map { pixel in
      var sum: Float = 0
      for tap in 0..<9 {
        let (y, x) = (pixel / 2 + tap / 3, pixel % 2 + tap % 3)
        sum += kernel[tap] * input[4 * y + x]
      }
      return sum
    }
    expectClose(output.values, expected, absolute: 1e-4)
    expectGuardsIntact(planes, output)
  }

  /// What must stay as it is where a kernel does not write.
  private func filled(_ count: Int) -> [Float] { [Float](repeating: -77, count: count) }
}
