import KernelsReference
import Testing

struct GroupedSoftmaxTests {
  @Test(arguments: KernelVariant.allCases, [1, 2, 7, 9])
  func matchesReferenceAtEveryWidth(_ variant: KernelVariant, groups: Int) throws {
    let table = try variant.table()
    for width in [1, 3, 4, 5, 7, 8, 9, 16, 19] {
      for rows in [0, 1, 3] {
        let stride = groups * width + 2
        var random = RandomFloats(seed: 21)
        let values = GuardedFloats(random.values(rows * stride, in: -30...30))
        let expected = GuardedFloats(values.values)
        table.groupedSoftmax(values.pointer, rows, groups, width, stride)
        referenceKernels.groupedSoftmax(expected.pointer, rows, groups, width, stride)
        // exp within 1.2 ulp, a sum of up to 9 terms, one division.
        expectClose(
          values.values, expected.values, absolute: 1e-37, relative: 1e-6,
          "width \(width), \(rows) rows")
        expectGuardsIntact(values, expected)
      }
    }
  }

  @Test(arguments: KernelVariant.allCases)
  func aNaNSpoilsItsOwnGroupOnly(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let (groups, width) = (5, 8)
    for spoiled in 0..<width {
      let values = GuardedFloats(
        (0..<groups * width).map { $0 == 2 * width + spoiled ? .nan : Float($0 % 5) })
      table.groupedSoftmax(values.pointer, 1, groups, width, groups * width)
      for (i, value) in values.values.enumerated() {
        #expect(value.isNaN == (i % width == spoiled))
      }
      expectGuardsIntact(values)
    }
  }
}
