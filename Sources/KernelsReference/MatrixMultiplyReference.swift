import KernelInterface

func matrixMultiplyReference(_ call: MatrixCall) {
  for m in 0..<call.rows {
    for n in 0..<call.columns {
      var sum = 0.0
      for s in 0..<call.segments {
        let left = call.left + m * call.leftStride + s * call.segmentStride
        let right = call.weight + s * call.segmentLength * call.columns + n
        for k in 0..<call.segmentLength {
          sum += Double(left[k]) * Double(right[k * call.columns])
        }
      }
      var value = Float(sum) + call.bias[n]
      if let residual = call.residual { value += residual[m * call.residualStride + n] }
      call.output[m * call.outputStride + n] = activateReference(value, call.activation)
    }
  }
}
