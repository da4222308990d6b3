import KernelsReference
import Testing

struct GroupedSoftmaxTests {
  /// Widths: one head, SAM's eight, and numbers that no vector divides.
  @Test(arguments: KernelVariant.allCases, [1, 3, 4, 7, 8, 9, 16, 19])
  func matchesReferenceAndLeavesGapsAlone(_ variant: KernelVariant, width: Int) throws {
    let table = try variant.table()
    for groups in [1, 2, 5, 7, 18] {
      for rows in [0, 1, 3] {
        let stride = groups * width + 5
        let count = rows == 0 ? 0 : (rows - 1) * stride + groups * width
        var random = RandomFloats(seed: 33)
        let values = GuardedFloats(random.values(count, in: -20...20))
        let expected = GuardedFloats(values.values)
        table.groupedSoftmax(values.pointer, rows, groups, width, stride)
        referenceKernels.groupedSoftmax(expected.pointer, rows, groups, width, stride)
        // exp within 1.2 ulp, a sum of up to 18 terms, one division.
        expectClose(
          values.values, expected.values, absolute: 1e-37, relative: 2e-6,
          "\(groups) groups, \(rows) rows")
        expectGuardsIntact(values, expected)
      }
    }
  }

  @Test(arguments: KernelVariant.allCases)
  func sharesOfEachMemberAddUpToOne(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let (groups, width) = (6, 8)
    var random = RandomFloats(seed: 34)
    let values = GuardedFloats(random.values(groups * width, in: -50...50))
    table.groupedSoftmax(values.pointer, 1, groups, width, groups * width)
    for i in 0..<width {
      let sum = (0..<groups).reduce(Float(0)) { $0 + values.values[$1 * width + i] }
      #expect(abs(sum - 1) < 1e-6)
    }
    expectGuardsIntact(values)
  }

  @Test(arguments: KernelVariant.allCases)
  func aNaNSpoilsItsMemberOfItsRowOnly(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let (rows, groups, width) = (3, 5, 11)
    let stride = groups * width
    for spoiled in [0, 4, 7, 8, 10] {
      var random = RandomFloats(seed: 35)
      let values = GuardedFloats(random.values(rows * stride))
      values.pointer[stride + 2 * width + spoiled] = .nan
      table.groupedSoftmax(values.pointer, rows, groups, width, stride)
      for (i, value) in values.values.enumerated() {
        #expect(value.isNaN == (i / stride == 1 && i % width == spoiled), "value \(i)")
      }
      expectGuardsIntact(values)
    }
  }
}
