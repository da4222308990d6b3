import KernelsReference
import Testing

#if canImport(Glibc)
  import Glibc
#endif

struct ColumnExponentialsTests {
  @Test(arguments: SizedVariant.all, [1, 2, 5, 33])
  func matchesReferenceAndLeavesGapsAlone(_ sized: SizedVariant, rows: Int) throws {
    let table = try sized.variant.table()
    let columns = sized.size
    let stride = columns + 3
    var random = RandomFloats(seed: 20)
    let values = GuardedFloats(random.values(rows * stride, in: -20...20))
    let expected = GuardedFloats(values.values)
    let maxima = GuardedFloats(count: columns)
    let sums = GuardedFloats(count: columns)
    let expectedMaxima = GuardedFloats(count: columns)
    let expectedSums = GuardedFloats(count: columns)
    table.columnExponentials(
      values.pointer, rows, columns, stride, maxima.pointer, sums.pointer)
    referenceKernels.columnExponentials(
      expected.pointer, rows, columns, stride, expectedMaxima.pointer, expectedSums.pointer)
    #expect(maxima.values == expectedMaxima.values)
    // Two exponentials within 1.2 and 0.5 ulp, and the sums of up to 33 of them.
    expectClose(values.values, expected.values, relative: 2.5e-7)
    expectClose(sums.values, expectedSums.values, relative: 1e-6)
    expectGuardsIntact(values, expected, maxima, sums, expectedMaxima, expectedSums)
  }

  /// With a zero above it, each value comes out as its exponential.
  @Test(arguments: KernelVariant.allCases)
  func exponentialIsWithinItsBound(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let columns = 1 << 18
    let x = (0..<columns).map { -87.3 * Float($0) / Float(columns) }
    let values = GuardedFloats(Array(repeating: 0, count: columns) + x)
    let maxima = GuardedFloats(count: columns)
    let sums = GuardedFloats(count: columns)
    table.columnExponentials(values.pointer, 2, columns, columns, maxima.pointer, sums.pointer)
    var worst = 0.0
    for c in 0..<columns {
      let exact = exp(Double(x[c]))
      let ulp = Double(Float(exact).ulp)
      worst = max(worst, abs(Double(values.pointer[columns + c]) - exact) / ulp)
    }
    #expect(worst < 1.25)
    #expect(values.values.prefix(columns).allSatisfy { $0 == 1 })
    expectGuardsIntact(values, maxima, sums)
  }

  @Test(arguments: KernelVariant.allCases)
  func exponentialEndsInZero(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let x: [Float] = [-87.7, -88, -104, -1000, -.greatestFiniteMagnitude, -.infinity]
    let values = GuardedFloats(Array(repeating: 0, count: x.count) + x)
    let maxima = GuardedFloats(count: x.count)
    let sums = GuardedFloats(count: x.count)
    table.columnExponentials(values.pointer, 2, x.count, x.count, maxima.pointer, sums.pointer)
    #expect(values.values.suffix(x.count).allSatisfy { $0 == 0 })
    #expect(sums.values.allSatisfy { $0 == 1 })
    expectGuardsIntact(values, maxima, sums)
  }

  @Test(arguments: KernelVariant.allCases)
  func aNaNSpoilsItsOwnColumnsSumOnly(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let (rows, columns) = (4, variant.width + 2)
    for spoiled in 0..<columns {
      let values = GuardedFloats(
        (0..<rows * columns).map { $0 == columns + spoiled ? .nan : Float($0 % 7) })
      let maxima = GuardedFloats(count: columns)
      let sums = GuardedFloats(count: columns)
      table.columnExponentials(
        values.pointer, rows, columns, columns, maxima.pointer, sums.pointer)
      for c in 0..<columns { #expect(sums.values[c].isNaN == (c == spoiled)) }
      expectGuardsIntact(values, maxima, sums)
    }
  }
}
