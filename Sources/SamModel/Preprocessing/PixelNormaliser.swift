/// Turns RGB bytes into `(value − mean) / standard deviation`.
struct PixelNormaliser: Sendable {
  private let mean: ChannelPattern
  private let standardDeviation: ChannelPattern

  /// Takes what belongs to red, green, blue, on the scale 0 to 255.
  init(mean: [Float], standardDeviation: [Float]) {
    self.mean = ChannelPattern(mean)
    self.standardDeviation = ChannelPattern(standardDeviation)
  }

  /// Writes one float for every byte of `rgb`.
  ///
  /// A vector does what the formula says, a subtraction and a division, so that a value has the
  /// same bits wherever it lies in the row.
  func write(_ rgb: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<Float>) {
    guard let bytes = rgb.baseAddress else { return }
    let count = rgb.count
    var index = 0
    while index &+ 12 <= count {
      write4(bytes + index, to: target + index, mean.first, standardDeviation.first)
      write4(bytes + (index &+ 4), to: target + (index &+ 4), mean.second, standardDeviation.second)
      write4(bytes + (index &+ 8), to: target + (index &+ 8), mean.third, standardDeviation.third)
      index &+= 12
    }
    while index < count {
      let channel = index % 3
      target[index] = (Float(bytes[index]) - mean.first[channel]) / standardDeviation.first[channel]
      index &+= 1
    }
  }

  @inline(__always)
  private func write4(
    _ bytes: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<Float>, _ mean: SIMD4<Float>,
    _ standardDeviation: SIMD4<Float>
  ) {
    let values = SIMD4(
      Float(bytes[0]), Float(bytes[1]), Float(bytes[2]), Float(bytes[3]))
    UnsafeMutableRawPointer(target).storeBytes(
      of: (values - mean) / standardDeviation, as: SIMD4<Float>.self)
  }
}

/// Three numbers repeated over 12 lanes: the shortest run that is whole pixels and whole vectors.
private struct ChannelPattern: Sendable {
  let first: SIMD4<Float>
  let second: SIMD4<Float>
  let third: SIMD4<Float>

  init(_ channels: [Float]) {
    precondition(channels.count == 3, "three channels are normalised")
    let (red, green, blue) = (channels[0], channels[1], channels[2])
    first = SIMD4(red, green, blue, red)
    second = SIMD4(green, blue, red, green)
    third = SIMD4(blue, red, green, blue)
  }
}
