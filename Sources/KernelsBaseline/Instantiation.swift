import KernelInterface
import KernelTemplates

/// The kernels of this module's vector width, with the matrix products given.
///
/// The one text behind three modules: KernelsAVX2 and KernelsAVX512 hold links to this file, and
/// each module's Vector.swift says which vector and name it stands for.
public func makeKernelTable(matrix: consuming MatrixKernels) -> KernelTable {
  KernelTable(
    name: tableName,
    activate: { activate($0, $1, $2, $3, vector: Vector.self) },
    add: { add($0, $1, $2, $3, vector: Vector.self) },
    layerNorm: { layerNorm($0, $1, $2, $3, $4, $5, $6, $7, $8, vector: Vector.self) },
    softmax: { softmax($0, $1, $2, $3, vector: Vector.self) },
    columnExponentials: { columnExponentials($0, $1, $2, $3, $4, $5, vector: Vector.self) },
    groupedSoftmax: { groupedSoftmax($0, $1, $2, $3, $4, vector: HeadVector.self) },
    depthwiseConvolution: {
      depthwiseConvolution($0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, vector: Vector.self)
    },
    winogradInput: { winogradInput($0, $1, $2, $3, $4, $5, vector: Vector.self) },
    winogradOutput: { winogradOutput($0, $1, $2, $3, $4, $5, $6, vector: Vector.self) },
    interpolate: { interpolate($0, $1, $2, $3, $4, vector: Vector.self) },
    gatherInterpolate: { gatherInterpolate($0, $1, $2, $3, $4, $5) },
    sigmoidBytes: { sigmoidBytes($0, $1, $2, vector: Vector.self) },
    matrix: matrix)
}
