import CSamShims.CPU
import Foundation
import KernelInterface
import KernelsAVX2
import KernelsAVX512
import KernelsBFloat16
import KernelsBaseline
import KernelsReference

/// The choice of kernels, made once from what the CPU can do.
///
/// `SAMSWIFT_KERNELS` overrides it: `avx512`, `avx2`, `baseline`, `reference`, or `blas` (CBLAS products over
/// the best elementwise kernels). A name that this CPU cannot run is ignored, and ``notice`` says so.
package enum Kernels {
  /// What the process uses unless a caller asks for another.
  package static var current: KernelTable { choice.table }

  /// Why the environment's wish was not followed, or nil.
  package static var notice: String? { choice.notice }

  /// Names that ``named(_:)`` knows on this machine, fastest first.
  package static var available: [String] {
    own + (OpenBLASLibrary.shared == nil ? [] : ["blas"]) + ["reference"]
  }

  /// The hand-written ones that this CPU can run.
  private static var own: [String] {
    var names: [String] = []
    if samCPUHasAVX512() != 0 { names.append("avx512") }
    if samCPUHasAVX2() != 0 { names.append("avx2") }
    return names + ["baseline"]
  }

  /// The kernels of that name, or nil where this CPU lacks the instructions, the library is missing or the name is unknown.
  package static func named(_ name: String) -> KernelTable? {
    switch name {
    case _ where own.contains(name): return ownKernels(name)
    case "reference": return referenceKernels
    case "blas":
      guard let library = OpenBLASLibrary.shared else { return nil }
      var table = best
      table.matrix = blasMatrixKernels(library, elementwise: table)
      table.name = "blas"
      return table
    default: return nil
    }
  }

  private static func ownKernels(_ name: String) -> KernelTable {
    switch name {
    case "avx512": return KernelsAVX512.makeKernelTable(matrix: KernelsAVX512.matrixKernels)
    case "avx2": return KernelsAVX2.makeKernelTable(matrix: KernelsAVX2.matrixKernels)
    default: return KernelsBaseline.makeKernelTable(matrix: KernelsBaseline.matrixKernels)
    }
  }

  private static var best: KernelTable { ownKernels(own[0]) }

  /// Whether bfloat16 pays for a product: with a short inner dimension, converting the left operand takes what the product
  /// saves, unless its rows are whole pairs and so can be converted as one. (With 16 it would still be half as fast again,
  /// but Lite's first expansion is among those, and its masks would move by more than a hundredth.)
  package static func takesBFloat16(inner: Int) -> Bool {
    inner >= 32 || inner >= 24 && inner.isMultiple(of: 2)
  }

  /// `kernels`' matrix products with packed weights in bfloat16, or nil where this CPU has no AVX512-BF16 or the
  /// kernels are not the AVX-512 ones.
  package static func bfloat16(_ kernels: KernelTable) -> MatrixKernels? {
    #if arch(x86_64)
      guard samCPUHasBFloat16() != 0, kernels.name == "avx512" else { return nil }
      // Assembled here: in the module with the wide instructions, even the copy of a struct would use them.
      let float32 = kernels.matrix
      return MatrixKernels(
        name: "bfloat16",
        packedCount: { inner, columns in
          takesBFloat16(inner: inner)
            ? packedCountBFloat16(inner, columns) : float32.packedCount(inner, columns)
        },
        pack: { matrix, innerStride, columnStride, inner, columns, bias, packed in
          let pack = takesBFloat16(inner: inner) ? packBFloat16 : float32.pack
          pack(matrix, innerStride, columnStride, inner, columns, bias, packed)
        },
        multiply: { call in
          if case .packed(let packed) = call.right,
            takesBFloat16(inner: call.segments * call.segmentLength)
          {
            multiplyBFloat16(call, packed: packed)
          } else {
            float32.multiply(call)
          }
        },
        attentionScratch: attentionScratchBFloat16, attention: attendBFloat16)
    #else
      return nil
    #endif
  }

  private static let choice: (table: KernelTable, notice: String?) = {
    let fallback = best
    guard let wish = ProcessInfo.processInfo.environment["SAMSWIFT_KERNELS"], !wish.isEmpty else {
      return (fallback, nil)
    }
    if let table = named(wish) { return (table, nil) }
    return (
      fallback,
      "SAMSWIFT_KERNELS: wanted one of \(available.joined(separator: ", ")), got “\(wish)”; using \(fallback.name)"
    )
  }()
}
