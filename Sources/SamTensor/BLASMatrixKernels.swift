import COpenBLAS
import KernelInterface

/// Matrix products through CBLAS, with the same calls as the hand-written ones.
///
/// The packed form is the bias and then the row-major matrix. OpenBLAS runs on the calling thread.
func blasMatrixKernels(_ library: OpenBLASLibrary, elementwise: KernelTable) -> MatrixKernels {
  let multiply = library.multiply
  return MatrixKernels(
    name: "blas",
    packedCount: { inner, columns in (inner + 1) * columns },
    pack: { matrix, innerStride, columnStride, inner, columns, bias, packed in
      for n in 0..<columns { packed[n] = bias?[n] ?? 0 }
      for k in 0..<inner {
        let row = packed + (k + 1) * columns
        let source = matrix + k * innerStride
        for n in 0..<columns { row[n] = source[n * columnStride] }
      }
    },
    multiply: { call in
      let weights = RowMajorWeights(call)
      startWithBiasAndResidual(call, bias: weights.bias)
      var weight = weights.first
      // CBLAS knows a transposed left operand as columns that are contiguous (row stride 1).
      let isTransposed = call.innerStride != 1
      precondition(!isTransposed || call.leftStride == 1)
      for segment in 0..<call.segments {
        var offset = 0
        while offset < call.segmentLength {
          // CBLAS refuses rows that overlap: a convolution's segment is taken tap by tap.
          let rest = call.segmentLength - offset
          let piece = isTransposed ? rest : min(rest, call.leftStride)
          multiply(
            CblasRowMajor, isTransposed ? CblasTrans : CblasNoTrans, CblasNoTrans,
            blasint(call.rows), blasint(call.columns), blasint(piece), 1,
            call.left + segment * call.segmentStride + offset,
            blasint(isTransposed ? call.innerStride : call.leftStride), weight,
            blasint(weights.stride), 1, call.output, blasint(call.outputStride))
          weight += piece * weights.stride
          offset += piece
        }
      }
      guard call.activation != .none else { return }
      for m in 0..<call.rows {
        let row = call.output + m * call.outputStride
        elementwise.activate(call.activation, row, row, call.columns)
      }
    },
    attentionScratch: { queries, keys, _ in queries * keys },
    attention: { call in
      let scores = call.scratch
      var beta: Float = 0
      if let bias = call.bias {
        beta = 1
        for i in 0..<call.queries {
          for j in stride(from: 0, to: call.keys, by: bias.width) {
            (scores + i * call.keys + j).update(
              from: bias.values(query: i, keyRow: j / bias.width),
              count: min(bias.width, call.keys - j))
          }
        }
      }
      multiply(
        CblasRowMajor, CblasNoTrans, CblasTrans, blasint(call.queries), blasint(call.keys),
        blasint(call.dimension), call.scale, call.query, blasint(call.queryStride), call.key,
        blasint(call.keyStride), beta, scores, blasint(call.keys))
      elementwise.softmax(scores, call.queries, call.keys, call.keys)
      multiply(
        CblasRowMajor, CblasNoTrans, CblasNoTrans, blasint(call.queries), blasint(call.dimension),
        blasint(call.keys), 1, scores, blasint(call.keys), call.value, blasint(call.valueStride), 0,
        call.output, blasint(call.outputStride))
    })
}

/// A right operand as CBLAS wants it.
private struct RowMajorWeights {
  let first: UnsafePointer<Float>
  let stride: Int
  let bias: UnsafePointer<Float>?

  init(_ call: MatrixCall) {
    switch call.right {
    case .packed(let packed):
      (first, stride, bias) = (packed + call.columns, call.columns, packed)
    case .rows(let rows, let rowStride, let columnBias):
      (first, stride, bias) = (rows, rowStride, columnBias)
    }
  }
}

private func startWithBiasAndResidual(_ call: MatrixCall, bias: UnsafePointer<Float>?) {
  for m in 0..<call.rows {
    let row = call.output + m * call.outputStride
    let residual = call.residual.map { $0 + m * call.residualStride }
    for n in 0..<call.columns { row[n] = (residual?[n] ?? 0) + (bias?[n] ?? 0) }
  }
}
