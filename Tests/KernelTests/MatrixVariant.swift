import KernelInterface
import SamTensor
import Testing

/// Matrix kernels under test: those of each vector width, CBLAS, and bfloat16.
enum MatrixVariant: String, CaseIterable, CustomTestStringConvertible {
  case baseline, avx2, avx512, blas, bfloat16

  var testDescription: String { rawValue }

  /// Its kernels; on a CPU without its instructions the test ends as skipped, by name.
  func kernels() throws -> MatrixKernels {
    if self == .bfloat16 {
      if let kernels = Kernels.named("avx512").flatMap(Kernels.bfloat16) { return kernels }
    } else if let table = Kernels.named(rawValue) {
      return table.matrix
    }
    try Test.cancel("this CPU lacks the instructions of \(rawValue)")
  }

  /// How far a product may be off, as a part of the sum of its terms' magnitudes: sums in another
  /// order round differently, and bfloat16 rounds both factors to 8 bits, 2⁻⁹ each.
  var tolerance: Float { self == .bfloat16 ? 1.0 / 256 : 1e-6 }
}
