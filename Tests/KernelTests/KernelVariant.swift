import KernelInterface
import SamTensor
import Testing

/// A kernel table under test.
enum KernelVariant: String, CaseIterable, CustomTestStringConvertible {
  case baseline, avx2, avx512

  /// Floats in its vector; the sizes around it are where kernels go wrong.
  var width: Int {
    switch self {
    case .baseline: 4
    case .avx2: 8
    case .avx512: 16
    }
  }

  var testDescription: String { rawValue }

  /// Its table; on a CPU without its instructions the test ends as skipped, by name.
  func table() throws -> KernelTable {
    guard let table = Kernels.named(rawValue) else {
      try Test.cancel("this CPU lacks the instructions of \(rawValue)")
    }
    return table
  }
}

/// A variant and a number of values.
struct SizedVariant: CustomTestStringConvertible {
  let variant: KernelVariant
  let size: Int

  var testDescription: String { "\(variant.rawValue), \(size)" }

  /// None, one, one less and one more than a vector, several vectors and a rest, and primes.
  static let all = KernelVariant.allCases.flatMap { variant in
    let w = variant.width
    return [0, 1, w - 1, w, w + 1, 2 * w, 2 * w + 3, 5 * w, 97, 211].map {
      SizedVariant(variant: variant, size: $0)
    }
  }

  /// The same without the empty size.
  static let filled = all.filter { $0.size > 0 }
}
