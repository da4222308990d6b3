import KernelInterface

func depthwiseConvolutionReference(
  _ rows: UnsafePointer<UnsafePointer<Float>?>, _ size: Int, _ stride: Int, _ leftPad: Int,
  _ inputWidth: Int, _ channels: Int, _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
  _ activation: Activation, _ output: UnsafeMutablePointer<Float>, _ outputWidth: Int
) {
  for x in 0..<outputWidth {
    for c in 0..<channels {
      var sum = bias[c]
      for ky in 0..<size {
        guard let row = rows[ky] else { continue }
        for kx in 0..<size {
          let column = x * stride + kx - leftPad
          guard column >= 0, column < inputWidth else { continue }
          sum += row[column * channels + c] * weight[(ky * size + kx) * channels + c]
        }
      }
      output[x * channels + c] = activateReference(sum, activation)
    }
  }
}
