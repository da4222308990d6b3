import KernelInterface
import SamTensor
import SamTestSupport
import Testing

/// Inverted bottlenecks against their three convolutions in plain loops.
struct InvertedBottleneckTests {
  // Output heights from 64 on take the fused path; the plain one is below.
  @Test(arguments: BottleneckCase.all)
  func equalsThreeConvolutions(_ bottleneck: BottleneckCase) {
    let context = ComputeContext(threads: 3)
    let output = context.invertedBottleneck(
      bottleneck.input.map(context), bottleneck.block(context))
    let expected = bottleneck.expected
    #expect((output.height, output.width) == (expected.height, expected.width))
    let deviation = Deviation(output.values(), expected.values)
    #expect(deviation.worst < 1e-4, "\(deviation)")
  }

  /// The part that is computed has the bits of the whole.
  @Test(arguments: BottleneckCase.all.filter { $0.size.height > 8 })
  func aPartIsThatPartOfTheWhole(_ bottleneck: BottleneckCase) {
    let context = ComputeContext(threads: 2)
    let input = bottleneck.input.map(context)
    let block = bottleneck.block(context)
    let whole = context.invertedBottleneck(input, block)
    for part in [
      MapExtent(height: 1, width: whole.width),
      MapExtent(height: whole.height - 3, width: whole.width),
      MapExtent(height: whole.height, width: whole.width / 2),
      whole.extent,
    ] {
      let output = context.invertedBottleneck(input, block, part: part)
      for y in 0..<part.height {
        let count = part.width * whole.channels
        let row = UnsafeBufferPointer(start: output.pixel(y, 0), count: count)
        let wanted = UnsafeBufferPointer(start: whole.pixel(y, 0), count: count)
        #expect(row.elementsEqual(wanted), "row \(y) of \(part)")
      }
    }
  }

  /// The unfused form would add the border's zeros in the place of pixels.
  @Test func anInputWithABorderIsRefused() async {
    await #expect(processExitsWith: .failure) {
      let context = ComputeContext(threads: 2)
      let bottleneck = try #require(BottleneckCase.all.first)
      let input = bottleneck.input.map(context, border: 1)
      _ = context.invertedBottleneck(input, bottleneck.block(context))
    }
  }

  @Test(arguments: BottleneckCase.all.filter { $0.size.height > 60 })
  func threadsDoNotChangeABit(_ bottleneck: BottleneckCase) {
    let results = [1, 2, 3].map { threads in
      let context = ComputeContext(threads: threads)
      return context.invertedBottleneck(
        bottleneck.input.map(context), bottleneck.block(context)
      ).values()
    }
    #expect(results[1] == results[0])
    #expect(results[2] == results[0])
  }
}

/// A chain against its layers one after the other.
struct BottleneckChainTests {
  @Test(arguments: [(2, 2), (34, 6), (35, 41), (128, 96)], [1, 2, 3])
  func hasTheBitsOfItsLayers(size: (height: Int, width: Int), threads: Int) {
    let context = ComputeContext(threads: threads)
    let input = PlainMap(height: size.height, width: size.width, channels: 3, seed: 1)
      .map(context, border: 1)
    let stem = context.pack(
      values(27 * 12, seed: 2), inputs: 3, size: 3, bias: values(12, seed: 3))
    // Channels 12 → 12 → 10 → 20, the first without an expansion.
    let shapes = [(12, 1, 12, 3, 1), (12, 2, 10, 3, 2), (10, 3, 20, 5, 2)]
    let blocks = shapes.enumerated().map { i, shape in
      let (inputs, expansion, outputs, kernel, stride) = shape
      let middle = inputs * expansion
      let seed = UInt64(10 * (i + 1))
      return InvertedBottleneck(
        expand: expansion == 1
          ? nil
          : context.pack(
            values(inputs * middle, seed: seed), inputs: inputs, size: 1,
            bias: values(middle, seed: seed + 1)),
        depthwise: DepthwiseWeights(
          values(kernel * kernel * middle, seed: seed + 2), size: kernel, channels: middle,
          bias: values(middle, seed: seed + 3)),
        project: context.pack(
          values(middle * outputs, seed: seed + 4), inputs: middle, size: 1,
          bias: values(outputs, seed: seed + 5)),
        stride: stride, innerActivation: .relu6, hasResidual: false, outerActivation: .none)
    }
    for count in 0...blocks.count {
      let chain = BottleneckChain(
        stem: stem, stemActivation: .relu6, blocks: Array(blocks.prefix(count)))
      let output = context.bottleneckChain(input, chain)
      let expected = blocks.prefix(count).reduce(
        context.convolution3x3(input, stem, stride: 2, activation: .relu6)
      ) { context.invertedBottleneck($0, $1) }
      #expect((output.height, output.width) == (expected.height, expected.width))
      #expect(output.values() == expected.values(), "\(count) blocks")
    }
  }
}

/// The weights and sizes of one inverted bottleneck.
struct BottleneckCase: CustomTestStringConvertible, Sendable {
  let kernel: Int
  let stride: Int
  /// Times the input's channels; 1 has no expansion.
  let expansion: Int
  let hasResidual: Bool
  let size: (height: Int, width: Int)

  private static let inputs = 8

  static let all =
    [3, 5].flatMap { kernel in
      [1, 2].flatMap { stride in
        [1, 4].flatMap { expansion in
          [(1, 1), (5, 7), (9, 30), (64 * stride, 21), (65 * stride + 1, 40)].map { size in
            BottleneckCase(
              kernel: kernel, stride: stride, expansion: expansion,
              // Where the sizes allow it.
              hasResidual: stride == 1 && size.1 % 2 == 1, size: size)
          }
        }
      }
    } + [
      // 1024 channels inside: a row is cut into tiles of 40 columns.
      BottleneckCase(kernel: 3, stride: 1, expansion: 128, hasResidual: true, size: (64, 90))
    ]

  var testDescription: String {
    "\(kernel)×\(kernel)/\(stride), expansion \(expansion), \(size.height)×\(size.width)"
      + (hasResidual ? ", residual" : "")
  }

  var input: PlainMap {
    PlainMap(height: size.height, width: size.width, channels: Self.inputs, seed: 1)
  }

  private var middle: Int { Self.inputs * expansion }
  private var outputs: Int { hasResidual ? Self.inputs : 12 }
  private var expandWeight: [Float] { values(Self.inputs * middle, seed: 2) }
  private var expandBias: [Float] { values(middle, seed: 3) }
  private var taps: [Float] { values(middle * kernel * kernel, seed: 4).map { $0 / 2 } }
  private var tapBias: [Float] { values(middle, seed: 5) }
  private var projectWeight: [Float] { values(middle * outputs, seed: 6).map { $0 / 2 } }
  private var projectBias: [Float] { values(outputs, seed: 7) }

  func block(_ context: ComputeContext) -> InvertedBottleneck {
    InvertedBottleneck(
      expand: expansion == 1
        ? nil : context.pack(expandWeight, inputs: Self.inputs, size: 1, bias: expandBias),
      depthwise: DepthwiseWeights(taps, size: kernel, channels: middle, bias: tapBias),
      project: context.pack(projectWeight, inputs: middle, size: 1, bias: projectBias),
      stride: stride, innerActivation: .gelu, hasResidual: hasResidual,
      outerActivation: hasResidual ? .relu : .none)
  }

  var expected: PlainMap {
    let wide =
      expansion == 1
      ? input
      : input.convolved(
        expandWeight, bias: expandBias, size: 1, stride: 1, pad: 0, activation: .gelu)
    let projected =
      wide
      .convolvedByChannel(taps, bias: tapBias, size: kernel, stride: stride, activation: .gelu)
      .convolved(projectWeight, bias: projectBias, size: 1, stride: 1, pad: 0)
    return hasResidual ? projected.added(input, activation: .relu) : projected
  }
}
