import KernelInterface
import SamTensor

/// The weights of a 1×1 convolution before they are packed.
struct PointwiseWeights {
  /// (out, in).
  let matrix: [Float]
  let bias: [Float]?
  let inputs: Int
  let outputs: Int

  /// One convolution that does what this and then `next` do, where nothing is between them.
  ///
  /// Cost: `next.outputs · outputs · inputs` multiplications by `kernels`.
  func followed(by next: PointwiseWeights, kernels: MatrixKernels) -> PointwiseWeights {
    precondition(next.inputs == outputs)
    var matrix = [Float](repeating: 0, count: next.outputs * inputs)
    let right = PackedMatrix(
      self.matrix, inner: outputs, columns: inputs, innerStride: inputs, columnStride: 1, bias: nil,
      kernels: kernels)
    next.matrix.withUnsafeBufferPointer { left in
      matrix.withUnsafeMutableBufferPointer { output in
        guard let left = left.baseAddress, let output = output.baseAddress else { return }
        right.multiply(
          left, stride: outputs, rows: next.outputs, output: output, outputStride: inputs)
      }
    }
    return PointwiseWeights(
      matrix: matrix, bias: bias.map { next.apply(to: $0) } ?? next.bias, inputs: inputs,
      outputs: next.outputs)
  }

  private func apply(to vector: [Float]) -> [Float] {
    (0..<outputs).map { o in
      let sum = (0..<inputs).reduce(0.0) {
        $0 + Double(matrix[o * inputs + $1]) * Double(vector[$1])
      }
      return Float(sum + Double(bias?[o] ?? 0))
    }
  }
}
