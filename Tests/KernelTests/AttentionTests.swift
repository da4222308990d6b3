import KernelInterface
import KernelsReference
import Testing

struct AttentionTests {
  /// Queries, keys and floats of a head: window attention's, and sizes around the tiles.
  static let shapes = [
    [0, 3, 16], [1, 1, 1], [1, 5, 16], [6, 8, 32], [8, 16, 32], [9, 17, 20], [49, 49, 32],
    [23, 196, 32], [7, 33, 48], [13, 64, 16],
  ]

  @Test(arguments: MatrixVariant.allCases, shapes)
  func matchesReference(_ variant: MatrixVariant, _ shape: [Int]) throws {
    let kernels = try variant.kernels()
    let (queries, keys, dimension) = (shape[0], shape[1], shape[2])
    // Heads lie side by side, as a fused projection leaves them.
    let (queryStride, keyStride, valueStride) = (dimension * 3, dimension * 3 + 1, dimension * 2)
    let (biasStride, outputStride) = (keys + 2, dimension + 7)
    func span(_ rows: Int, _ stride: Int, _ length: Int) -> Int {
      rows == 0 ? 0 : (rows - 1) * stride + length
    }
    var random = RandomFloats(seed: 24)
    let query = GuardedFloats(random.values(span(queries, queryStride, dimension)))
    let key = GuardedFloats(random.values(span(keys, keyStride, dimension)))
    let value = GuardedFloats(random.values(span(keys, valueStride, dimension)))
    let bias = GuardedFloats(random.values(span(queries, biasStride, keys)))
    for hasBias in [false, true] {
      let before = Array(repeating: Float(9), count: span(queries, outputStride, dimension))
      let output = GuardedFloats(before)
      let expected = GuardedFloats(before)
      for (kernels, target) in [(kernels, output), (referenceMatrixKernels, expected)] {
        let scratch = GuardedFloats(count: kernels.attentionScratch(queries, keys, dimension))
        kernels.attention(
          AttentionCall(
            query: query.pointer, queryStride: queryStride, queries: queries, key: key.pointer,
            keyStride: keyStride, value: value.pointer, valueStride: valueStride, keys: keys,
            dimension: dimension, scale: 0.25, bias: hasBias ? bias.pointer : nil,
            biasStride: biasStride, output: target.pointer, outputStride: outputStride,
            scratch: scratch.pointer))
        expectGuardsIntact(scratch, target)
      }
      // Scores up to 100 are good to a few 1e-5; so are the weights that they give, of values up to 3.
      expectClose(output.values, expected.values, absolute: 2e-4, "bias \(hasBias)")
      expectGuardsIntact(output, expected)
    }
    expectGuardsIntact(query, key, value, bias)
  }

  @Test(arguments: MatrixVariant.allCases)
  func keysAtMinusInfinityAreNotSeen(_ variant: MatrixVariant) throws {
    let kernels = try variant.kernels()
    let (queries, keys, dimension) = (5, 21, 16)
    var random = RandomFloats(seed: 25)
    let query = GuardedFloats(random.values(queries * dimension))
    let key = GuardedFloats(random.values(keys * dimension))
    // Only key 4 counts, and all the values of the others are far away.
    let value = GuardedFloats((0..<keys * dimension).map { $0 / dimension == 4 ? 2 : 1e6 })
    let bias = GuardedFloats((0..<queries * keys).map { $0 % keys == 4 ? 0 : -.infinity })
    let output = GuardedFloats(count: queries * dimension)
    let scratch = GuardedFloats(count: kernels.attentionScratch(queries, keys, dimension))
    kernels.attention(
      AttentionCall(
        query: query.pointer, queryStride: dimension, queries: queries, key: key.pointer,
        keyStride: dimension, value: value.pointer, valueStride: dimension, keys: keys,
        dimension: dimension, scale: 1, bias: bias.pointer, biasStride: keys,
        output: output.pointer, outputStride: dimension, scratch: scratch.pointer))
    #expect(output.values.allSatisfy { $0 == 2 })
    expectGuardsIntact(query, key, value, bias, output, scratch)
  }
}
