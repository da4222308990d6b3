import KernelInterface
import SamTensor
import SamTestSupport
import Testing

/// Dense convolutions against plain loops.
struct ConvolutionTests {
  @Test(arguments: [(1, 1), (2, 3), (5, 4), (11, 18)], [1, 2])
  func threeByThreeEqualsPlainLoops(size: (height: Int, width: Int), stride: Int) {
    let context = ComputeContext(threads: 2)
    for (inputs, outputs) in [(3, 16), (10, 33)] {
      let input = PlainMap(height: size.height, width: size.width, channels: inputs, seed: 1)
      let weight = values(9 * inputs * outputs, seed: 2)
      let bias = values(outputs, seed: 3)
      let matrix = context.pack(weight, inputs: inputs, size: 3, bias: bias)
      let expected = input.convolved(
        weight, bias: bias, size: 3, stride: stride, pad: 1, activation: .relu6)
      for border in [0, 1] {
        let output = context.convolution3x3(
          input.map(context, border: 1 + border), matrix, stride: stride, activation: .relu6,
          border: border)
        #expect((output.height, output.width) == (expected.height, expected.width))
        let deviation = Deviation(output.values(), expected.values)
        #expect(deviation.worst < 1e-5, "\(deviation)")
      }
    }
  }

  @Test func aBorderedResultIsReadyForTheNextConvolution() {
    let context = ComputeContext(threads: 1)
    let input = PlainMap(height: 6, width: 7, channels: 4, seed: 4)
    let weight = values(9 * 4 * 4, seed: 5)
    let bias = values(4, seed: 6)
    let matrix = context.pack(weight, inputs: 4, size: 3, bias: bias)
    let once = context.convolution3x3(input.map(context, border: 1), matrix, border: 1)
    let twice = context.convolution3x3(once, matrix)
    let expected = input.convolved(weight, bias: bias, size: 3, stride: 1, pad: 1)
      .convolved(weight, bias: bias, size: 3, stride: 1, pad: 1)
    let deviation = Deviation(twice.values(), expected.values)
    #expect(deviation.worst < 2e-5, "\(deviation)")
  }

  @Test(arguments: [(2, 2), (4, 6), (12, 34), (22, 16)], [1, 3])
  func winogradEqualsPlainLoops(size: (height: Int, width: Int), threads: Int) {
    let context = ComputeContext(threads: threads)
    for (inputs, outputs) in [(3, 16), (10, 33), (16, 128)] {
      let input = PlainMap(height: size.height, width: size.width, channels: inputs, seed: 1)
      let weight = values(9 * inputs * outputs, seed: 2)
      let expected = input.convolved(
        weight, bias: [Float](repeating: 0, count: outputs), size: 3, stride: 1, pad: 1)
      let finished = Counter()
      let output = context.winogradConvolution(
        input.map(context, border: 1),
        WinogradWeights(weight, inputs: inputs, outputs: outputs, kernels: context.kernels.matrix)
      ) { pixels, count in
        for i in 0..<count * outputs { pixels[i] += 1 }
        finished.add(count)
      }
      #expect(finished.value == size.height * size.width)
      let deviation = Deviation(output.values().map { $0 - 1 }, expected.values)
      #expect(deviation.worst < 3e-5, "\(deviation)")
    }
  }

  @Test(arguments: [(2, 2), (4, 6), (12, 34)])
  func twoByTwoEqualsPlainLoops(size: (height: Int, width: Int)) {
    let context = ComputeContext(threads: 2)
    for inputs in [1, 4, 5] {
      let input = PlainMap(height: size.height, width: size.width, channels: inputs, seed: 7)
      let weight = values(4 * inputs * 18, seed: 8)
      let bias = values(18, seed: 9)
      let matrix = context.pack(weight, inputs: inputs, size: 2, bias: bias)
      let expected = input.convolved(
        weight, bias: bias, size: 2, stride: 2, pad: 0, activation: .gelu)
      let output = context.convolution2x2(input.map(context), matrix, activation: .gelu)
      #expect((output.height, output.width) == (size.height / 2, size.width / 2))
      let deviation = Deviation(output.values(), expected.values)
      #expect(deviation.worst < 1e-5, "\(deviation)")
    }
  }
}
