import KernelsReference
import Testing

struct ColumnExponentialsTests {
  @Test(arguments: SizedVariant.filled, [1, 2, 7, 64])
  func matchesReferenceAndLeavesGapsAlone(_ sized: SizedVariant, rows: Int) throws {
    let table = try sized.variant.table()
    let columns = sized.size
    let stride = columns + 3
    var random = RandomFloats(seed: 31)
    let values = GuardedFloats(random.values((rows - 1) * stride + columns, in: -20...20))
    let expected = GuardedFloats(values.values)
    let (maxima, sums) = (GuardedFloats(count: columns), GuardedFloats(count: columns))
    let (wantedMaxima, wantedSums) = (GuardedFloats(count: columns), GuardedFloats(count: columns))
    table.columnExponentials(
      values.pointer, rows, columns, stride, maxima.pointer, sums.pointer)
    referenceKernels.columnExponentials(
      expected.pointer, rows, columns, stride, wantedMaxima.pointer, wantedSums.pointer)
    #expect(maxima.values == wantedMaxima.values)
    // exp within 1.2 ulp; sums of up to 64 terms.
    expectClose(values.values, expected.values, absolute: 1e-37, relative: 1e-6)
    expectClose(sums.values, wantedSums.values, relative: 4e-6)
    expectGuardsIntact(values, expected, maxima, sums, wantedMaxima, wantedSums)
  }

  @Test(arguments: KernelVariant.allCases)
  func aNaNSpoilsItsColumnOnly(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let (rows, columns) = (5, 2 * variant.width + 1)
    for spoiled in 0..<columns {
      var random = RandomFloats(seed: 32)
      let values = GuardedFloats(random.values(rows * columns))
      let row = spoiled % rows
      values.pointer[row * columns + spoiled] = .nan
      let (maxima, sums) = (GuardedFloats(count: columns), GuardedFloats(count: columns))
      table.columnExponentials(
        values.pointer, rows, columns, columns, maxima.pointer, sums.pointer)
      for column in 0..<columns { #expect(sums.values[column].isNaN == (column == spoiled)) }
      #expect(values.values[row * columns + spoiled].isNaN)
      for i in 0..<rows * columns where i % columns != spoiled { #expect(values.values[i] <= 1) }
      expectGuardsIntact(values, maxima, sums)
    }
  }

  @Test(arguments: KernelVariant.allCases)
  func maskedRowsCountNothing(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let columns = variant.width + 1
    let values = GuardedFloats(
      [Float](repeating: 2, count: columns) + [Float](repeating: -.infinity, count: columns)
        + [Float](repeating: 2, count: columns))
    let (maxima, sums) = (GuardedFloats(count: columns), GuardedFloats(count: columns))
    table.columnExponentials(values.pointer, 3, columns, columns, maxima.pointer, sums.pointer)
    #expect(maxima.values == [Float](repeating: 2, count: columns))
    #expect(sums.values == [Float](repeating: 2, count: columns))
    #expect(values.values == (0..<3 * columns).map { $0 / columns == 1 ? 0 : 1 })
    expectGuardsIntact(values, maxima, sums)
  }
}
