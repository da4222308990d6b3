func layerNormReference(
  _ input: UnsafePointer<Float>, _ inputStride: Int, _ rows: Int, _ channels: Int,
  _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ epsilon: Float,
  _ output: UnsafeMutablePointer<Float>, _ outputStride: Int
) {
  for row in 0..<rows {
    let x = input + row * inputStride
    let y = output + row * outputStride
    var sum = 0.0
    for c in 0..<channels { sum += Double(x[c]) }
    let mean = sum / Double(channels)
    var squares = 0.0
    for c in 0..<channels { squares += (Double(x[c]) - mean) * (Double(x[c]) - mean) }
    let scale = 1 / (squares / Double(channels) + Double(epsilon)).squareRoot()
    for c in 0..<channels {
      y[c] = Float((Double(x[c]) - mean) * scale) * weight[c] + bias[c]
    }
  }
}
