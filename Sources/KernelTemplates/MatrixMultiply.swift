import KernelInterface

/// One tile of a product: up to eight rows by one panel of columns, accumulators in registers throughout.
///
/// Rows past `call.rows` repeat the last one and are not stored, so that tails need no code of their own.
/// AVX-512 has 32 registers: 8 × 3 accumulators. The others have 16: 6 × 2.
@inlinable @inline(__always)
func multiplyTile<R: TileRow>(
  _ call: MatrixCall, row: Int, column: Int, right firstRight: UnsafePointer<Float>, rightStep: Int,
  bias: UnsafePointer<Float>?, as: R.Type
) {
  let eight = R.Vector.scalarCount == 16
  let last = call.rows - 1 - row
  let stride = call.leftStride
  let left = call.left + row * stride

  var sum0 = bias.map { R(loading: $0) } ?? R()
  var sum1 = sum0
  var sum2 = sum0
  var sum3 = sum0
  var sum4 = sum0
  var sum5 = sum0
  var sum6 = sum0
  var sum7 = sum0

  var right = firstRight
  for segment in 0..<call.segments {
    let left0 = left + segment * call.segmentStride
    let left1 = left0 + min(1, last) * stride
    let left2 = left0 + min(2, last) * stride
    let left3 = left0 + min(3, last) * stride
    let left4 = left0 + min(4, last) * stride
    let left5 = left0 + min(5, last) * stride
    let left6 = left0 + min(6, last) * stride
    let left7 = left0 + min(7, last) * stride
    var k = 0
    for _ in 0..<call.segmentLength {
      let b = R(loading: right)
      right += rightStep
      sum0.accumulate(left0[k], b)
      sum1.accumulate(left1[k], b)
      sum2.accumulate(left2[k], b)
      sum3.accumulate(left3[k], b)
      sum4.accumulate(left4[k], b)
      sum5.accumulate(left5[k], b)
      if eight {
        sum6.accumulate(left6[k], b)
        sum7.accumulate(left7[k], b)
      }
      k += call.innerStride
    }
  }

  finishTile(call, row: row, column: column, sum0, sum1, sum2, sum3, sum4, sum5, sum6, sum7)
}

/// Adds the residual to a tile's rows, stores those that exist, and applies the activation.
@inlinable @inline(__always)
public func finishTile<R: TileRow>(
  _ call: MatrixCall, row: Int, column: Int, _ sum0: R, _ sum1: R, _ sum2: R, _ sum3: R,
  _ sum4: R, _ sum5: R, _ sum6: R, _ sum7: R
) {
  let eight = R.Vector.scalarCount == 16
  let last = call.rows - 1 - row
  let floats = R.width * R.Vector.scalarCount
  let count = call.columns - column
  if call.residual == nil && count >= floats && last >= (eight ? 7 : 5) {
    // Most tiles are whole; with a short inner dimension the questions of the other way would take as long as the sums.
    let isClipped = call.activation == .relu || call.activation == .relu6
    let lower = R.Vector(repeating: isClipped ? 0 : -.infinity)
    let upper = R.Vector(repeating: call.activation == .relu6 ? 6 : .infinity)
    let stride = call.outputStride
    let output = call.output + row * stride + column
    sum0.store(lower: lower, upper: upper, to: output)
    sum1.store(lower: lower, upper: upper, to: output + stride)
    sum2.store(lower: lower, upper: upper, to: output + 2 * stride)
    sum3.store(lower: lower, upper: upper, to: output + 3 * stride)
    sum4.store(lower: lower, upper: upper, to: output + 4 * stride)
    sum5.store(lower: lower, upper: upper, to: output + 5 * stride)
    if eight {
      sum6.store(lower: lower, upper: upper, to: output + 6 * stride)
      sum7.store(lower: lower, upper: upper, to: output + 7 * stride)
    }
  } else {
    finishRow(call, row, column, sum0)
    if last > 0 { finishRow(call, row + 1, column, sum1) }
    if last > 1 { finishRow(call, row + 2, column, sum2) }
    if last > 2 { finishRow(call, row + 3, column, sum3) }
    if last > 3 { finishRow(call, row + 4, column, sum4) }
    if last > 4 { finishRow(call, row + 5, column, sum5) }
    if eight {
      if last > 5 { finishRow(call, row + 6, column, sum6) }
      if last > 6 { finishRow(call, row + 7, column, sum7) }
    }
  }
  if call.activation == .gelu {
    // A second pass over a tile that is still in the first-level cache: inlined above, the polynomials
    // would be repeated for every accumulator.
    let output = call.output + row * call.outputStride + column
    for index in 0...min(last, eight ? 7 : 5) {
      activateRow(
        output + index * call.outputStride, min(count, floats), .gelu, vector: R.Vector.self)
    }
  }
}

/// Adds the residual to one row of a tile, clips it where the activation is a ReLU, and stores it.
@inlinable @inline(__always)
func finishRow<R: TileRow>(_ call: MatrixCall, _ row: Int, _ column: Int, _ sum: R) {
  sum.finish(
    residual: call.residual.map { $0 + row * call.residualStride + column },
    activation: call.activation, output: call.output + row * call.outputStride + column,
    count: call.columns - column)
}

@usableFromInline @_transparent
func activateRow<V: KernelVector>(
  _ row: UnsafeMutablePointer<Float>, _ count: Int, _ activation: Activation, vector: V.Type
) {
  var i = 0
  while i + V.scalarCount <= count {
    storeVector(activateVector(loadVector(row + i, as: V.self), activation), to: row + i)
    i += V.scalarCount
  }
  if i < count {
    let value = loadPart(row + i, count - i, filler: 0, as: V.self)
    storePart(activateVector(value, activation), to: row + i, count - i)
  }
}

/// A product: panels of columns outermost, so that a panel stays in cache while the rows pass.
@inlinable @inline(__always)
public func multiplyMatrix<V: KernelVector>(_ call: MatrixCall, vector: V.Type) {
  let layout = matrixLayout(V.self)
  let tileRows = V.scalarCount == 16 ? 8 : 6
  let inner = call.segments * call.segmentLength
  var left = layout.vectors(call.columns)
  var column = 0
  while left > 0 {
    let width = layout.panelWidth(left: left)
    let floats = width * V.scalarCount
    let right: UnsafePointer<Float>
    let rightStep: Int
    let bias: UnsafePointer<Float>?
    switch call.right {
    case .packed(let packed):
      let panel = packed + column * (inner + 1)
      right = panel + floats
      rightStep = floats
      bias = panel
    case .rows(let rows, let stride, let columnBias):
      right = rows + column
      rightStep = stride
      bias = columnBias.map { $0 + column }
    }
    var row = 0
    while row < call.rows {
      if width == 1 {
        multiplyTile(
          call, row: row, column: column, right: right, rightStep: rightStep, bias: bias,
          as: TileRow1<V>.self)
      } else if width == 2 {
        multiplyTile(
          call, row: row, column: column, right: right, rightStep: rightStep, bias: bias,
          as: TileRow2<V>.self)
      } else if V.scalarCount == 16 {
        multiplyTile(
          call, row: row, column: column, right: right, rightStep: rightStep, bias: bias,
          as: TileRow3<V>.self)
      }
      row += tileRows
    }
    column += floats
    left -= width
  }
}

/// The packing that ``multiplyMatrix`` reads.
@inlinable @inline(__always)
public func matrixLayout<V: KernelVector>(_: V.Type) -> MatrixLayout {
  MatrixLayout(lanes: V.scalarCount, widest: V.scalarCount == 16 ? 3 : 2)
}
