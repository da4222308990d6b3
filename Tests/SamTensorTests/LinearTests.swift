import KernelInterface
import SamTensor
import SamTestSupport
import Testing

/// Pointwise products of whole maps against plain loops.
struct LinearTests {
  // Sizes: less than a task's 64 pixels, exactly, and more with a rest.
  @Test(arguments: [(1, 1), (3, 5), (8, 8), (13, 17)], Activation.allCases)
  func equalsAOneByOneConvolution(size: (height: Int, width: Int), activation: Activation) {
    let context = ComputeContext(threads: 3)
    let (inputs, outputs) = (19, 37)
    let input = PlainMap(height: size.height, width: size.width, channels: inputs, seed: 1)
    let weight = values(inputs * outputs, seed: 2)
    let bias = values(outputs, seed: 3)
    let matrix = context.pack(weight, inputs: inputs, size: 1, bias: bias)
    let expected = input.convolved(
      weight, bias: bias, size: 1, stride: 1, pad: 0, activation: activation)
    for (inputBorder, outputBorder) in [(0, 0), (1, 0), (0, 2), (1, 1)] {
      let output = context.linear(
        input.map(context, border: inputBorder), matrix, activation: activation,
        border: outputBorder)
      #expect(output.border == outputBorder)
      let deviation = Deviation(output.values(), expected.values)
      #expect(deviation.worst < 5e-6, "\(deviation)")
    }
  }

  @Test(arguments: [(4, 9), (13, 17)])
  func addsAResidualBeforeTheActivation(size: (height: Int, width: Int)) {
    let context = ComputeContext(threads: 2)
    let input = PlainMap(height: size.height, width: size.width, channels: 8, seed: 4)
    let residual = PlainMap(height: size.height, width: size.width, channels: 24, seed: 5)
    let weight = values(8 * 24, seed: 6)
    let bias = values(24, seed: 7)
    let matrix = context.pack(weight, inputs: 8, size: 1, bias: bias)
    let expected = input.convolved(weight, bias: bias, size: 1, stride: 1, pad: 0)
      .added(residual, activation: .relu)
    for border in [0, 1] {
      let output = context.linear(
        input.map(context), matrix, activation: .relu,
        residual: residual.map(context), border: border)
      let deviation = Deviation(output.values(), expected.values)
      #expect(deviation.worst < 5e-6, "\(deviation)")
    }
  }
}
