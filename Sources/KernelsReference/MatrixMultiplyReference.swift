import KernelInterface

/// Scalar matrix products; the packed form is the bias and then the matrix, row by row.
public let referenceMatrixKernels = MatrixKernels(
  name: "reference",
  packedCount: { inner, columns in (inner + 1) * columns },
  pack: { matrix, innerStride, columnStride, inner, columns, bias, packed in
    for n in 0..<columns {
      packed[n] = bias?[n] ?? 0
      for k in 0..<inner {
        packed[(k + 1) * columns + n] = matrix[k * innerStride + n * columnStride]
      }
    }
  },
  multiply: matrixMultiplyReference,
  attentionScratch: { _, keys, _ in keys },
  attention: attentionReference)

func matrixMultiplyReference(_ call: MatrixCall) {
  let weight: UnsafePointer<Float>
  let stride: Int
  let bias: UnsafePointer<Float>?
  switch call.right {
  case .packed(let packed): (weight, stride, bias) = (packed + call.columns, call.columns, packed)
  case .rows(let rows, let rowStride, let columnBias):
    (weight, stride, bias) = (rows, rowStride, columnBias)
  }
  for m in 0..<call.rows {
    for n in 0..<call.columns {
      var sum = 0.0
      for s in 0..<call.segments {
        let left = call.left + m * call.leftStride + s * call.segmentStride
        let right = weight + s * call.segmentLength * stride + n
        for k in 0..<call.segmentLength {
          sum += Double(left[k * call.innerStride]) * Double(right[k * stride])
        }
      }
      var value = Float(sum) + (bias?[n] ?? 0)
      if let residual = call.residual { value += residual[m * call.residualStride + n] }
      call.output[m * call.outputStride + n] = activateReference(value, call.activation)
    }
  }
}

func attentionReference(_ call: AttentionCall) {
  let scores = call.scratch
  for i in 0..<call.queries {
    for j in 0..<call.keys {
      var sum = 0.0
      for d in 0..<call.dimension {
        sum +=
          Double(call.query[i * call.queryStride + d]) * Double(call.key[j * call.keyStride + d])
      }
      scores[j] = Float(sum) * call.scale
      if let bias = call.bias {
        scores[j] += bias.values(query: i, keyRow: j / bias.width)[j % bias.width]
      }
    }
    softmaxReference(scores, call.keys)
    for d in 0..<call.dimension {
      var sum = 0.0
      for j in 0..<call.keys {
        sum += Double(scores[j]) * Double(call.value[j * call.valueStride + d])
      }
      call.output[i * call.outputStride + d] = Float(sum)
    }
  }
}
