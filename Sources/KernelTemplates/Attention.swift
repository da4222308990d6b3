import KernelInterface

/// Scratch floats for ``attendHead``: packed keys, packed values, one tile of scores.
@inlinable @inline(__always)
public func attentionScratchCount<V: KernelVector>(
  _ queries: Int, _ keys: Int, _ dimension: Int, vector: V.Type
) -> Int {
  let layout = matrixLayout(V.self)
  return layout.packedCount(dimension, keys) + layout.packedCount(keys, dimension)
    + 8 * layout.vectors(keys) * V.scalarCount
}

/// One attention head, a tile of queries at a time: scores, softmax and the weighted sum of the values
/// never leave the first-level cache, and no queries × keys matrix exists.
@inlinable @inline(__always)
public func attendHead<V: KernelVector>(_ call: AttentionCall, vector: V.Type) {
  let layout = matrixLayout(V.self)
  let tileRows = V.scalarCount == 16 ? 8 : 6
  let scoreStride = layout.vectors(call.keys) * V.scalarCount
  let packedKeys = call.scratch
  let packedValues = packedKeys + layout.packedCount(call.dimension, call.keys)
  let scores = packedValues + layout.packedCount(call.keys, call.dimension)

  layout.pack(call.key, 1, call.keyStride, call.dimension, call.keys, nil, packedKeys)
  let keyCount = layout.packedCount(call.dimension, call.keys)
  let factor = V(repeating: call.scale)
  var i = 0
  while i < keyCount {
    storeVector(loadVector(packedKeys + i, as: V.self) * factor, to: packedKeys + i)
    i += V.scalarCount
  }
  var values = RightOperand.rows(call.value, stride: call.valueStride, bias: nil)
  if call.dimension % 16 != 0 || call.keys > 64 {
    layout.pack(call.value, call.valueStride, 1, call.keys, call.dimension, nil, packedValues)
    values = .packed(packedValues)
  }

  var row = 0
  while row < call.queries {
    let rows = min(tileRows, call.queries - row)
    multiplyMatrix(
      MatrixCall(
        left: call.query + row * call.queryStride, leftStride: call.queryStride, rows: rows,
        segmentLength: call.dimension, right: .packed(packedKeys), columns: call.keys,
        residual: call.bias.map { $0 + row * call.biasStride }, residualStride: call.biasStride,
        output: scores, outputStride: scoreStride),
      vector: V.self)
    softmax(scores, rows, call.keys, scoreStride, vector: V.self)
    multiplyMatrix(
      MatrixCall(
        left: scores, leftStride: scoreStride, rows: rows, segmentLength: call.keys,
        right: values, columns: call.dimension,
        output: call.output + row * call.outputStride, outputStride: call.outputStride),
      vector: V.self)
    row += rows
  }
}
