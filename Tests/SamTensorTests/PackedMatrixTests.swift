import KernelInterface
import SamTensor
import SamTestSupport
import Testing

/// Packed weights through every table of kernels.
struct PackedMatrixTests {
  @Test(arguments: ["avx512", "avx2", "baseline", "blas", "reference"])
  func multipliesAsPlainLoopsDo(kernels name: String) throws {
    guard let table = Kernels.named(name) else {
      try Test.cancel("this CPU lacks the instructions of \(name)")
    }
    let (rows, inner, columns) = (11, 30, 53)
    let left = values(rows * inner, seed: 1)
    let weight = values(inner * columns, seed: 2)
    let bias = values(columns, seed: 3)
    let residual = values(rows * columns, seed: 4)
    for (isTransposed, bias) in [(false, bias), (true, bias), (true, nil)] {
      let matrix = PackedMatrix(
        weight, inner: inner, columns: columns, innerStride: isTransposed ? 1 : columns,
        columnStride: isTransposed ? inner : 1, bias: bias, kernels: table.matrix)
      let input = FloatBuffer(left)
      let output = FloatBuffer(residual)
      matrix.multiply(
        input.pointer, stride: inner, rows: rows, residual: output.pointer,
        residualStride: columns, activation: .relu, output: output.pointer, outputStride: columns)
      var expected: [Float] = []
      for m in 0..<rows {
        for n in 0..<columns {
          var sum = Double(bias?[n] ?? 0) + Double(residual[m * columns + n])
          for k in 0..<inner {
            sum +=
              Double(left[m * inner + k])
              * Double(weight[isTransposed ? n * inner + k : k * columns + n])
          }
          expected.append(Float(max(sum, 0)))
        }
      }
      let deviation = Deviation(output.array(), expected)
      #expect(deviation.worst < 5e-6, "\(deviation)")
      withExtendedLifetime((matrix, input)) {}
    }
  }

  @Test func everyTableThatTheCPUHasCanBeAskedFor() {
    for name in Kernels.available {
      #expect(Kernels.named(name)?.name == name)
    }
    #expect(Kernels.available.suffix(3) == ["baseline", "blas", "reference"])
    #expect(Kernels.named("") == nil)
    #expect(Kernels.named("sse9") == nil)
    #expect(Kernels.available.contains(Kernels.current.name))
  }
}
