import KernelInterface

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Plain scalar loops: the truth that every fast kernel is tested against.
public let referenceKernels = KernelTable(
  name: "reference",
  activate: { activation, input, output, count in
    for i in 0..<count { output[i] = activateReference(input[i], activation) }
  },
  add: { left, right, output, count in
    for i in 0..<count { output[i] = left[i] + right[i] }
  },
  layerNorm: layerNormReference,
  softmax: softmaxReference,
  columnExponentials: columnExponentialsReference,
  groupedSoftmax: groupedSoftmaxReference,
  depthwiseConvolution: depthwiseConvolutionReference,
  winogradInput: winogradInputReference,
  winogradOutput: winogradOutputReference,
  interpolate: { top, bottom, fraction, output, count in
    for i in 0..<count { output[i] = top[i] + (bottom[i] - top[i]) * fraction }
  },
  gatherInterpolate: { row, left, right, fraction, output, count in
    for i in 0..<count {
      let a = row[Int(left[i])]
      output[i] = a + (row[Int(right[i])] - a) * fraction[i]
    }
  },
  sigmoidBytes: { logits, output, count in
    for i in 0..<count {
      let x = Double(logits[i])
      let above = (255 / (1 + exp(-abs(x)))).rounded(.toNearestOrEven)
      output[i] = x.isNaN ? 0 : UInt8(x > 0 ? above : 255 - above)
    }
  },
  matrix: referenceMatrixKernels)

/// One activated value.
public func activateReference(_ x: Float, _ activation: Activation) -> Float {
  switch activation {
  case .none: x
  case .relu: x.isNaN ? x : max(x, 0)
  case .relu6: x.isNaN ? x : min(max(x, 0), 6)
  case .gelu: Float(0.5 * Double(x) * erfc(-Double(x) * 0.5.squareRoot()))
  }
}
