import KernelsReference
import Testing

struct InterpolateTests {
  @Test(arguments: SizedVariant.all)
  func blendsTwoRows(_ sized: SizedVariant) throws {
    let table = try sized.variant.table()
    var random = RandomFloats(seed: 4)
    let top = GuardedFloats(random.values(sized.size))
    let bottom = GuardedFloats(random.values(sized.size))
    for fraction: Float in [0, 0.25, 0.7, 1] {
      let output = GuardedFloats(count: sized.size)
      let expected = GuardedFloats(count: sized.size)
      table.interpolate(top.pointer, bottom.pointer, fraction, output.pointer, sized.size)
      referenceKernels.interpolate(
        top.pointer, bottom.pointer, fraction, expected.pointer, sized.size)
      // Three roundings, or two with FMA, of numbers up to 6.
      expectClose(output.values, expected.values, absolute: 1e-6, "fraction \(fraction)")
      if fraction == 0 { #expect(output.values == top.values) }
      expectGuardsIntact(output, expected)
    }
    expectGuardsIntact(top, bottom)
  }

  @Test(arguments: SizedVariant.all)
  func blendsNeighboursThatIndicesName(_ sized: SizedVariant) throws {
    let table = try sized.variant.table()
    var random = RandomFloats(seed: 5)
    let row = GuardedFloats(random.values(23))
    let left = (0..<sized.size).map { _ in Int32(random.next() % 23) }
    let right = (0..<sized.size).map { _ in Int32(random.next() % 23) }
    let fraction = GuardedFloats(random.values(sized.size, in: 0...1))
    let output = GuardedFloats(count: sized.size)
    let expected = GuardedFloats(count: sized.size)
    table.gatherInterpolate(
      row.pointer, left, right, fraction.pointer, output.pointer, sized.size)
    referenceKernels.gatherInterpolate(
      row.pointer, left, right, fraction.pointer, expected.pointer, sized.size)
    expectClose(output.values, expected.values, absolute: 1e-6)
    expectGuardsIntact(row, fraction, output, expected)
  }

  @Test(arguments: KernelVariant.allCases)
  func aNaNSpoilsItsOwnValueOnly(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let count = 2 * variant.width + 1
    for spoiled in 0..<count {
      let top = GuardedFloats((0..<count).map { $0 == spoiled ? .nan : 1 })
      let bottom = GuardedFloats(Array(repeating: 2, count: count))
      let output = GuardedFloats(count: count)
      table.interpolate(top.pointer, bottom.pointer, 0.5, output.pointer, count)
      expectClose(output.values, (0..<count).map { $0 == spoiled ? .nan : 1.5 })
      expectGuardsIntact(top, bottom, output)
    }
  }
}
