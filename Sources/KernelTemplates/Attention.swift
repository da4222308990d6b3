import KernelInterface

/// Scratch floats for ``attendHead``: packed keys, packed values, one tile of scores and a vector that ``spread`` may write
/// past them.
@inlinable @inline(__always)
public func attentionScratchCount<V: KernelVector>(
  _ queries: Int, _ keys: Int, _ dimension: Int, vector: V.Type
) -> Int {
  let layout = matrixLayout(V.self)
  return layout.packedCount(dimension, keys) + layout.packedCount(keys, dimension)
    + 8 * layout.vectors(keys) * V.scalarCount + V.scalarCount
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
    if let bias = call.bias {
      for r in 0..<rows {
        spread(
          bias, query: row + r, keys: call.keys, to: scores + r * scoreStride, vector: V.self)
      }
    }
    multiplyMatrix(
      MatrixCall(
        left: call.query + row * call.queryStride, leftStride: call.queryStride, rows: rows,
        segmentLength: call.dimension, right: .packed(packedKeys), columns: call.keys,
        residual: call.bias.map { _ in UnsafePointer(scores) }, residualStride: scoreStride,
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

/// Lays out the bias of one query for all keys.
///
/// Writes whole vectors, up to one vector past the keys: the rows of a tile are laid out from the first to the last.
@inlinable @inline(__always)
public func spread<V: KernelVector>(
  _ bias: DistanceBias, query: Int, keys: Int, to row: UnsafeMutablePointer<Float>, vector: V.Type
) {
  var key = 0
  var keyRow = 0
  while key < keys {
    let values = bias.values(query: query, keyRow: keyRow)
    let count = min(bias.width, keys - key)
    var i = 0
    while i < count {
      storeVector(loadVector(values + i, as: V.self), to: row + key + i)
      i += V.scalarCount
    }
    key += count
    keyRow += 1
  }
}
