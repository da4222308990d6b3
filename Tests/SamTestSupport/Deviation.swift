/// How far numbers are from those that were wanted: what a failed comparison prints.
public struct Deviation: Sendable, CustomStringConvertible {
  /// The largest distance; infinite where one side alone is NaN, or the counts differ.
  public private(set) var worst: Float = 0
  /// Where it is.
  public private(set) var index = 0
  /// What came there.
  public private(set) var actual: Float = 0
  /// What was wanted there.
  public private(set) var expected: Float = 0
  /// The largest magnitude that was wanted anywhere.
  public private(set) var largest: Float = 0
  private let counts: (actual: Int, expected: Int)

  /// Compares element by element.
  public init(_ actual: [Float], _ expected: [Float]) {
    counts = (actual.count, expected.count)
    guard actual.count == expected.count else {
      worst = .infinity
      return
    }
    for index in actual.indices {
      let (value, wanted) = (actual[index], expected[index])
      if !wanted.isNaN { largest = max(largest, abs(wanted)) }
      let isSame = value == wanted || (value.isNaN && wanted.isNaN)
      let distance = isSame ? 0 : abs(value - wanted)
      if distance > worst || distance.isNaN {
        worst = distance.isNaN ? .infinity : distance
        (self.index, self.actual, self.expected) = (index, value, wanted)
        if distance.isNaN { return }
      }
    }
  }

  /// The largest distance as a share of the largest magnitude.
  public var relative: Float { worst == 0 ? 0 : worst / largest }

  /// One line for a failed expectation.
  public var description: String {
    guard counts.actual == counts.expected else {
      return "wanted \(counts.expected) values, got \(counts.actual)"
    }
    return
      "worst error \(worst) at \(index) of \(counts.actual): wanted \(expected), got \(actual); "
      + "largest magnitude \(largest)"
  }
}

/// Intersection over union of two masks, of the places where logits are above 0; 1 where both are empty.
public func maskOverlap(_ actual: [Float], _ expected: [Float]) -> Double {
  var (common, either) = (0, 0)
  for (a, b) in zip(actual, expected) {
    if a > 0 && b > 0 { common += 1 }
    if a > 0 || b > 0 { either += 1 }
  }
  return either == 0 ? 1 : Double(common) / Double(either)
}
