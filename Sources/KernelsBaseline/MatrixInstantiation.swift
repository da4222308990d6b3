import KernelInterface
import KernelTemplates

/// The matrix kernels of this module's CPU generation.
public let matrixKernels = MatrixKernels(
  name: tableName,
  packedCount: { matrixLayout(Vector.self).packedCount($0, $1) },
  pack: { matrixLayout(Vector.self).pack($0, $1, $2, $3, $4, $5, $6) },
  multiply: { multiplyMatrix($0, vector: Vector.self) },
  attentionScratch: { attentionScratchCount($0, $1, $2, vector: Vector.self) },
  attention: { attendHead($0, vector: Vector.self) })
