import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The vector exponential, seen through the kernel that stores it: under a zero, every value of a column
/// comes out as its exponential.
struct ExponentialTests {
  private func exponentials(_ x: [Float], _ variant: KernelVariant) throws -> [Float] {
    let table = try variant.table()
    let values = GuardedFloats(Array(repeating: 0, count: x.count) + x)
    let (maxima, sums) = (GuardedFloats(count: x.count), GuardedFloats(count: x.count))
    table.columnExponentials(values.pointer, 2, x.count, x.count, maxima.pointer, sums.pointer)
    expectGuardsIntact(values, maxima, sums)
    return Array(values.values.suffix(x.count))
  }

  @Test(arguments: KernelVariant.allCases)
  func isWithinItsBound(_ variant: KernelVariant) throws {
    let count = 1 << 18
    let x = (0..<count).map { -87.3 * Float($0) / Float(count) }
    var worst = 0.0
    for (x, y) in zip(x, try exponentials(x, variant)) {
      let exact = exp(Double(x))
      worst = max(worst, abs(Double(y) - exact) / Double(Float(exact).ulp))
    }
    #expect(worst < 1.25, "in units of the last place")
  }

  @Test(arguments: KernelVariant.allCases)
  func isOneAtZeroAndZeroFarBelow(_ variant: KernelVariant) throws {
    let far: [Float] = [-87.7, -88, -104, -1000, -.greatestFiniteMagnitude, -.infinity]
    let result = try exponentials([0, -0] + far, variant)
    #expect(result == [1, 1] + far.map { _ in 0 })
  }
}
