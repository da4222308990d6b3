import KernelInterface
import KernelsReference
import SamTensor

/// Values between −1 and 1 from a seed.
func values(_ count: Int, seed: UInt64) -> [Float] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
  }
}

/// A map outside the network: rows × columns × channels, without borders or tricks.
struct PlainMap {
  let height: Int
  let width: Int
  let channels: Int
  var values: [Float]

  init(height: Int, width: Int, channels: Int, values: [Float]) {
    precondition(values.count == height * width * channels)
    (self.height, self.width, self.channels, self.values) = (height, width, channels, values)
  }

  init(height: Int, width: Int, channels: Int, seed: UInt64) {
    self.init(
      height: height, width: width, channels: channels,
      values: SamTensorTests.values(height * width * channels, seed: seed))
  }

  /// 0 outside.
  subscript(y: Int, x: Int, c: Int) -> Float {
    guard y >= 0, y < height, x >= 0, x < width else { return 0 }
    return values[(y * width + x) * channels + c]
  }

  /// The same in the network's memory.
  func map(_ context: ComputeContext, border: Int = 0) -> FeatureMap {
    let map = context.map(height: height, width: width, channels: channels, border: border)
    for y in 0..<height {
      for i in 0..<width * channels { map.pixel(y, 0)[i] = values[y * width * channels + i] }
    }
    return map
  }

  /// A dense convolution in PyTorch's terms: weight (out, in, ky, kx).
  func convolved(
    _ weight: [Float], bias: [Float], size: Int, stride: Int, pad: Int,
    activation: Activation = .none
  ) -> PlainMap {
    let outputs = bias.count
    return filled(
      (height + 2 * pad - size) / stride + 1, (width + 2 * pad - size) / stride + 1, outputs
    ) {
      y, x, o in
      var sum = Double(bias[o])
      for c in 0..<channels {
        for ky in 0..<size {
          for kx in 0..<size {
            sum +=
              Double(self[y * stride + ky - pad, x * stride + kx - pad, c])
              * Double(weight[((o * channels + c) * size + ky) * size + kx])
          }
        }
      }
      return activateReference(Float(sum), activation)
    }
  }

  /// A depthwise convolution in PyTorch's terms: weight (channels, 1, ky, kx), padding half the size.
  func convolvedByChannel(
    _ weight: [Float], bias: [Float], size: Int, stride: Int, activation: Activation
  ) -> PlainMap {
    let pad = size / 2
    return filled((height - 1) / stride + 1, (width - 1) / stride + 1, channels) { y, x, c in
      var sum = Double(bias[c])
      for ky in 0..<size {
        for kx in 0..<size {
          sum +=
            Double(self[y * stride + ky - pad, x * stride + kx - pad, c])
            * Double(weight[(c * size + ky) * size + kx])
        }
      }
      return activateReference(Float(sum), activation)
    }
  }

  func added(_ other: PlainMap, activation: Activation) -> PlainMap {
    var result = self
    for i in values.indices {
      result.values[i] = activateReference(values[i] + other.values[i], activation)
    }
    return result
  }

  private func filled(
    _ height: Int, _ width: Int, _ channels: Int, _ value: (Int, Int, Int) -> Float
  ) -> PlainMap {
    var values: [Float] = []
    values.reserveCapacity(height * width * channels)
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<channels { values.append(value(y, x, c)) }
      }
    }
    return PlainMap(height: height, width: width, channels: channels, values: values)
  }
}

extension ComputeContext {
  /// PyTorch's (out, in, size, size), packed with the inner dimension (ky, kx, in).
  func pack(_ weight: [Float], inputs: Int, size: Int, bias: [Float]) -> PackedMatrix {
    let taps = size * size
    var matrix = [Float](repeating: 0, count: weight.count)
    for o in 0..<bias.count {
      for i in 0..<inputs {
        for t in 0..<taps {
          matrix[(o * taps + t) * inputs + i] = weight[(o * inputs + i) * taps + t]
        }
      }
    }
    return PackedMatrix(
      matrix, inner: taps * inputs, columns: bias.count, innerStride: 1,
      columnStride: taps * inputs, bias: bias, kernels: kernels.matrix)
  }
}
