import KernelInterface
import KernelsReference
import Testing

#if canImport(Glibc)
  import Glibc
#endif

struct ActivateTests {
  @Test(arguments: SizedVariant.all, Activation.allCases)
  func matchesReferenceAtEverySize(_ sized: SizedVariant, _ activation: Activation) throws {
    let table = try sized.variant.table()
    var random = RandomFloats(seed: 1)
    let input = GuardedFloats(random.values(sized.size, in: -8...8))
    let output = GuardedFloats(count: sized.size)
    let expected = GuardedFloats(count: sized.size)
    table.activate(activation, input.pointer, output.pointer, sized.size)
    referenceKernels.activate(activation, input.pointer, expected.pointer, sized.size)
    // The GELU is within 2.6e-7 · max(1, |x|), |x| up to 8; the others are exact.
    expectClose(output.values, expected.values, absolute: activation == .gelu ? 2.1e-6 : 0)
    table.activate(activation, input.pointer, input.pointer, sized.size)
    #expect(input.values == output.values, "in place")
    expectGuardsIntact(input, output, expected)
  }

  @Test(arguments: KernelVariant.allCases)
  func geluStaysWithinItsBound(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let count = 1 << 20
    let input = GuardedFloats((0..<count).map { Float($0) / Float(count) * 16 - 8 })
    let output = GuardedFloats(count: count)
    table.activate(.gelu, input.pointer, output.pointer, count)
    var worst = 0.0
    for i in 0..<count {
      let x = Double(input.pointer[i])
      let exact = 0.5 * x * erfc(-x * 0.5.squareRoot())
      worst = max(worst, abs(Double(output.pointer[i]) - exact) / max(1, abs(x)))
    }
    #expect(worst < 2.6e-7)
    expectGuardsIntact(input, output)
  }

  @Test(arguments: KernelVariant.allCases)
  func geluIsExactFarFromZero(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let large: [Float] = [
      6, 7.5, 100, 1e10, 1.8e19, 2e19, 3e38, .greatestFiniteMagnitude, .infinity,
    ]
    let input = GuardedFloats(large + large.dropLast().map { -$0 })
    let output = GuardedFloats(count: input.count)
    table.activate(.gelu, input.pointer, output.pointer, input.count)
    expectClose(output.values, large + large.dropLast().map { _ in 0 })
    expectGuardsIntact(input, output)
  }

  @Test(arguments: KernelVariant.allCases, Activation.allCases)
  func specialValuesAgreeWithReference(_ variant: KernelVariant, _ activation: Activation) throws {
    let table = try variant.table()
    let special: [Float] = [
      .nan, .infinity, -.infinity, 0, -0, .leastNonzeroMagnitude, -.leastNormalMagnitude,
      Float(bitPattern: 0xFFC1_2345), 6, -6, 1e-20,
    ]
    for shift in 0..<variant.width {
      let input = GuardedFloats(Array(repeating: 1, count: shift) + special)
      let output = GuardedFloats(count: input.count)
      let expected = GuardedFloats(count: input.count)
      table.activate(activation, input.pointer, output.pointer, input.count)
      referenceKernels.activate(activation, input.pointer, expected.pointer, input.count)
      expectClose(output.values, expected.values, absolute: 2.6e-7, "shift \(shift)")
      expectGuardsIntact(input, output, expected)
    }
  }
}
