import KernelInterface

/// A 3×3 convolution's weights for Winograd's F(2×2, 3×3): sixteen matrices instead of nine.
package struct WinogradWeights: Sendable {
  package let inputs: Int
  package let outputs: Int
  /// Columns of the matrices of one chunk of output channels.
  package let chunk: Int
  /// For each chunk sixteen matrices of `inputs × chunk`.
  let chunks: [[PackedMatrix]]

  /// Output channels of a chunk: its products of a task, all sixteen, stay in the second-level cache.
  private static let widest = 64

  /// Transforms PyTorch's (out, in, 3, 3); no bias.
  package init(_ weights: [Float], inputs: Int, outputs: Int, kernels: MatrixKernels) {
    precondition(weights.count == 9 * inputs * outputs)
    self.inputs = inputs
    self.outputs = outputs
    let chunk = outputs.isMultiple(of: Self.widest) ? Self.widest : outputs
    self.chunk = chunk
    let planes = Self.transformed(weights, area: inputs * outputs)
    chunks = stride(from: 0, to: outputs, by: chunk).map { first in
      (0..<16).map { plane in
        let start = plane * inputs * outputs + first * inputs
        return PackedMatrix(
          Array(planes[start..<start + chunk * inputs]), inner: inputs, columns: chunk,
          innerStride: 1, columnStride: inputs, bias: nil, kernels: kernels)
      }
    }
  }

  /// G · kernel · Gᵀ of every kernel, with G = (1 0 0; ½ ½ ½; ½ −½ ½; 0 0 1): sixteen planes of (out, in).
  private static func transformed(_ weights: [Float], area: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: 16 * area) { planes, count in
      weights.withUnsafeBufferPointer { weights in
        for k in 0..<area {
          let tap = 9 * k
          // Columns of G · kernel.
          let left = column(weights[tap], weights[tap + 3], weights[tap + 6])
          let middle = column(weights[tap + 1], weights[tap + 4], weights[tap + 7])
          let right = column(weights[tap + 2], weights[tap + 5], weights[tap + 8])
          let sum = (left + middle + right) / 2
          let difference = (left - middle + right) / 2
          for i in 0..<4 {
            let first = 4 * i * area + k
            planes[first] = left[i]
            planes[first + area] = sum[i]
            planes[first + 2 * area] = difference[i]
            planes[first + 3 * area] = right[i]
          }
        }
      }
      count = 16 * area
    }
  }

  private static func column(_ a: Float, _ b: Float, _ c: Float) -> SIMD4<Float> {
    SIMD4(a, (a + b + c) / 2, (a - b + c) / 2, c)
  }
}
