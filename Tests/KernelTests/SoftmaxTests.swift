import KernelsReference
import Testing

struct SoftmaxTests {
  @Test(arguments: SizedVariant.filled, [Float(1), 30, 1000])
  func matchesReference(_ sized: SizedVariant, spread: Float) throws {
    let table = try sized.variant.table()
    var random = RandomFloats(seed: 11)
    let values = GuardedFloats(random.values(sized.size, in: -spread...spread))
    let expected = GuardedFloats(values.values)
    table.softmax(values.pointer, sized.size)
    referenceKernels.softmax(expected.pointer, sized.size)
    // exp within 1.2 ulp, a sum of up to 211 terms, one division.
    expectClose(values.values, expected.values, absolute: 1e-37, relative: 2e-6)
    expectGuardsIntact(values, expected)
  }

  @Test(arguments: SizedVariant.filled)
  func maskedValuesBecomeZero(_ sized: SizedVariant) throws {
    let table = try sized.variant.table()
    let values = GuardedFloats((0..<sized.size).map { $0 % 3 == 0 ? 2 : -.infinity })
    table.softmax(values.pointer, sized.size)
    let share = 1 / Float((sized.size + 2) / 3)
    expectClose(
      values.values, (0..<sized.size).map { $0 % 3 == 0 ? share : 0 }, relative: 1e-6)
    expectGuardsIntact(values)
  }

  @Test(arguments: KernelVariant.allCases, [Float.nan, .infinity])
  func aValueWithoutOrderSpoilsTheWholeRow(_ variant: KernelVariant, _ value: Float) throws {
    let table = try variant.table()
    let count = 2 * variant.width + 1
    for spoiled in 0..<count {
      let values = GuardedFloats((0..<count).map { $0 == spoiled ? value : Float($0) })
      table.softmax(values.pointer, count)
      #expect(values.values.allSatisfy { $0.isNaN })
      expectGuardsIntact(values)
    }
  }

  @Test(arguments: KernelVariant.allCases)
  func nothingButMinusInfinityHasNoSoftmax(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let values = GuardedFloats(Array(repeating: -.infinity, count: 37))
    table.softmax(values.pointer, 37)
    #expect(values.values.allSatisfy { $0.isNaN })
    expectGuardsIntact(values)
  }
}
