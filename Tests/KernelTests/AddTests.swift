import Testing

struct AddTests {
  @Test(arguments: SizedVariant.all)
  func addsExactlyAtEverySize(_ sized: SizedVariant) throws {
    let table = try sized.variant.table()
    var random = RandomFloats(seed: 2)
    let left = GuardedFloats(random.values(sized.size))
    let right = GuardedFloats(random.values(sized.size))
    let output = GuardedFloats(count: sized.size)
    let expected = zip(left.values, right.values).map { $0 + $1 }
    table.add(left.pointer, right.pointer, output.pointer, sized.size)
    #expect(output.values == expected)
    expectGuardsIntact(left, right, output)
  }

  @Test(arguments: SizedVariant.all)
  func outputMayBeEitherOperand(_ sized: SizedVariant) throws {
    let table = try sized.variant.table()
    var random = RandomFloats(seed: 3)
    let (a, b) = (random.values(sized.size), random.values(sized.size))
    let expected = zip(a, b).map { $0 + $1 }
    let (left, right) = (GuardedFloats(a), GuardedFloats(b))
    table.add(left.pointer, right.pointer, left.pointer, sized.size)
    #expect(left.values == expected)
    let again = GuardedFloats(a)
    table.add(again.pointer, right.pointer, right.pointer, sized.size)
    #expect(right.values == expected)
    expectGuardsIntact(left, right, again)
  }

  @Test(arguments: KernelVariant.allCases)
  func infinitiesAndNaNFollowTheRules(_ variant: KernelVariant) throws {
    let table = try variant.table()
    let left = GuardedFloats([.infinity, .infinity, -.infinity, .nan, 1, 3e38])
    let right = GuardedFloats([1, -.infinity, -.infinity, 1, .nan, 3e38])
    let output = GuardedFloats(count: 6)
    table.add(left.pointer, right.pointer, output.pointer, 6)
    expectClose(output.values, [.infinity, .nan, -.infinity, .nan, .nan, .infinity])
    expectGuardsIntact(left, right, output)
  }
}
