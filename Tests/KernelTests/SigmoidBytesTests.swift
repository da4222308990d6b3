import KernelsReference
import Testing

#if canImport(Glibc)
  import Glibc
#endif

struct SigmoidBytesTests {
  private func bytes(_ logits: [Float], _ variant: KernelVariant) throws -> [UInt8] {
    let table = try variant.table()
    let input = GuardedFloats(logits)
    var output = [UInt8](repeating: 99, count: logits.count + 8)
    output.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      table.sigmoidBytes(input.pointer, base, logits.count)
    }
    expectGuardsIntact(input)
    #expect(output.suffix(8).allSatisfy { $0 == 99 }, "written behind the memory")
    return Array(output.dropLast(8))
  }

  @Test(arguments: SizedVariant.all)
  func roundsToTheNearestByte(_ sized: SizedVariant) throws {
    var random = RandomFloats(seed: 12)
    let logits = random.values(sized.size, in: -9...9)
    for (logit, byte) in zip(logits, try bytes(logits, sized.variant)) {
      let exact = 255 / (1 + exp(-Double(logit)))
      // Half, and the error of the float computation: a few units in the last place of 255.
      #expect(abs(exact - Double(byte)) <= 0.5001, "\(logit)")
    }
  }

  @Test(arguments: KernelVariant.allCases)
  func referenceAgreesAwayFromTies(_ variant: KernelVariant) throws {
    let logits = (-4000...4000).map { Float($0) / 400 }
    let actual = try bytes(logits, variant)
    var expected = [UInt8](repeating: 0, count: logits.count)
    referenceKernels.sigmoidBytes(logits, &expected, logits.count)
    for i in logits.indices where actual[i] != expected[i] {
      let exact = 255 / (1 + exp(-Double(logits[i])))
      #expect(abs(exact - exact.rounded(.down) - 0.5) < 1e-4, "\(logits[i])")
    }
  }

  @Test(arguments: KernelVariant.allCases + [nil])
  func theHighestBitIsTheSign(_ variant: KernelVariant?) throws {
    let positive: [Float] = [
      .leastNonzeroMagnitude, .leastNormalMagnitude, 1e-30, 1e-9, 1e-7, 1e-3, 0.1, 5, 90, 1e30,
      .infinity,
    ]
    let logits = positive + positive.map { -$0 } + [0, -0]
    let result: [UInt8]
    if let variant {
      result = try bytes(logits, variant)
    } else {
      var output = [UInt8](repeating: 0, count: logits.count)
      referenceKernels.sigmoidBytes(logits, &output, logits.count)
      result = output
    }
    for (logit, byte) in zip(logits, result) {
      #expect((byte >= 128) == (logit > 0), "\(logit) gives \(byte)")
    }
    #expect(result[10] == 255)
    #expect(result[21] == 0)
  }

  @Test(arguments: KernelVariant.allCases)
  func neverFalls(_ variant: KernelVariant) throws {
    let logits = (0..<20_000).map { Float($0) / 1000 - 10 }
    let result = try bytes(logits, variant)
    #expect(zip(result, result.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(Set(result).count == 256, "every byte occurs")
  }

  @Test(arguments: KernelVariant.allCases)
  func nanIsZero(_ variant: KernelVariant) throws {
    for shift in 0..<variant.width {
      let logits =
        Array(repeating: Float(3), count: shift) + [.nan, Float(bitPattern: 0xFFC1_2345)]
      let result = try bytes(logits, variant)
      #expect(result == Array(repeating: 243, count: shift) + [0, 0])
    }
  }
}
