import KernelInterface

/// A weight matrix and its bias, packed once for the kernels that will multiply with it.
package final class PackedMatrix: Sendable {
  /// Rows of the matrix: the inner dimension of a product.
  package let inner: Int
  /// Columns of the matrix and of a product.
  package let columns: Int
  package let buffer: FloatBuffer
  private let kernels: MatrixKernels

  /// Packs element (k, n) = `weights[k · innerStride + n · columnStride]`.
  ///
  /// PyTorch's linear and pointwise weights are (out, in): `innerStride` 1, `columnStride` `inner`.
  package init(
    _ weights: [Float], inner: Int, columns: Int, innerStride: Int, columnStride: Int,
    bias: [Float]?, kernels: MatrixKernels
  ) {
    precondition(inner > 0 && columns > 0)
    precondition(weights.count > (inner - 1) * innerStride + (columns - 1) * columnStride)
    precondition(bias.map { $0.count == columns } ?? true)
    self.inner = inner
    self.columns = columns
    self.kernels = kernels
    buffer = FloatBuffer(count: kernels.packedCount(inner, columns))
    let target = buffer.pointer
    weights.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return }
      if let bias {
        bias.withUnsafeBufferPointer {
          kernels.pack(base, innerStride, columnStride, inner, columns, $0.baseAddress, target)
        }
      } else {
        kernels.pack(base, innerStride, columnStride, inner, columns, nil, target)
      }
    }
  }

  /// `output[m] = activation(left[m] · matrix + bias + residual[m])` on the calling thread; see ``MatrixCall``.
  package func multiply(
    _ left: UnsafePointer<Float>, stride leftStride: Int, rows: Int, segments: Int = 1,
    segmentStride: Int = 0, residual: UnsafePointer<Float>? = nil, residualStride: Int = 0,
    activation: Activation = .none, output: UnsafeMutablePointer<Float>, outputStride: Int
  ) {
    kernels.multiply(
      MatrixCall(
        left: left, leftStride: leftStride, rows: rows, segments: segments,
        segmentLength: inner / segments, segmentStride: segmentStride,
        right: .packed(buffer.pointer),
        columns: columns, residual: residual, residualStride: residualStride,
        activation: activation, output: output, outputStride: outputStride))
  }
}
