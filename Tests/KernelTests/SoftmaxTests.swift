import KernelsReference
import Testing

struct SoftmaxTests {
  @Test(arguments: SizedVariant.filled, [Float(1), 30, 1000])
  func matchesReferenceInEveryRow(_ sized: SizedVariant, spread: Float) throws {
    let table = try sized.variant.table()
    let stride = sized.size + 3
    for rows in [0, 1, 3, 4, 9] {
      var random = RandomFloats(seed: 11)
      let values = GuardedFloats(random.values(rows * stride, in: -spread...spread))
      let expected = GuardedFloats(values.values)
      table.softmax(values.pointer, rows, sized.size, stride)
      referenceKernels.softmax(expected.pointer, rows, sized.size, stride)
      // exp within 1.2 ulp, a sum of up to 211 terms, one division. Between the rows nothing changes.
      expectClose(values.values, expected.values, absolute: 1e-37, relative: 2e-6, "\(rows) rows")
      expectGuardsIntact(values, expected)
    }
  }

  @Test(arguments: SizedVariant.filled)
  func maskedValuesBecomeZero(_ sized: SizedVariant) throws {
    let table = try sized.variant.table()
    let values = GuardedFloats((0..<sized.size).map { $0 % 3 == 0 ? 2 : -.infinity })
    table.softmax(values.pointer, 1, sized.size, 0)
    let share = 1 / Float((sized.size + 2) / 3)
    expectClose(
      values.values, (0..<sized.size).map { $0 % 3 == 0 ? share : 0 }, relative: 1e-6)
    expectGuardsIntact(values)
  }

  @Test(arguments: KernelVariant.allCases, [Float.nan, .infinity])
  func aValueWithoutOrderSpoilsItsWholeRow(_ variant: KernelVariant, _ value: Float) throws {
    let table = try variant.table()
    let count = 2 * variant.width + 1
    for spoiled in 0..<count {
      // Five rows: four at once and one alone.
      let values = GuardedFloats(
        (0..<5 * count).map { $0 % count == spoiled && $0 / count != 2 ? value : Float($0) })
      table.softmax(values.pointer, 5, count, count)
      for (i, value) in values.values.enumerated() {
        #expect(value.isNaN == (i / count != 2), "row \(i / count)")
      }
      expectGuardsIntact(values)
    }
  }

  @Test(arguments: KernelVariant.allCases)
  func nothingButMinusInfinityHasNoSoftmax(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let values = GuardedFloats(Array(repeating: -.infinity, count: 37))
    table.softmax(values.pointer, 1, 37, 37)
    #expect(values.values.allSatisfy { $0.isNaN })
    expectGuardsIntact(values)
  }

  /// So that results do not depend on how the rows were shared out.
  @Test(arguments: SizedVariant.filled)
  func aRowIsTheSameAloneAndAmongOthers(_ sized: SizedVariant) throws {
    let table = try sized.variant.table()
    let (count, rows) = (sized.size, 7)
    var random = RandomFloats(seed: 16)
    let together = GuardedFloats(random.values(rows * count))
    let alone = GuardedFloats(together.values)
    table.softmax(together.pointer, rows, count, count)
    for row in 0..<rows { table.softmax(alone.pointer + row * count, 1, count, count) }
    #expect(together.values == alone.values)
    expectGuardsIntact(together, alone)
  }
}
