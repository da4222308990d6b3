import KernelInterface

/// One output row of a depthwise convolution; see ``KernelTable/depthwiseConvolution``.
@inlinable @inline(__always)
public func depthwiseConvolution<V: KernelVector>(
  _ rows: UnsafePointer<UnsafePointer<Float>?>, _ size: Int, _ stride: Int, _ leftPad: Int,
  _ inputWidth: Int, _ channels: Int, _ weight: UnsafePointer<Float>,
  _ bias: UnsafePointer<Float>, _ activation: Activation, _ output: UnsafeMutablePointer<Float>,
  _ outputWidth: Int, vector: V.Type
) {
  let row = DepthwiseRow<V>(
    rows: rows, leftPad: leftPad, inputWidth: inputWidth, channels: channels, weight: weight,
    bias: bias, activation: activation, output: output, outputWidth: outputWidth)
  // Constant sizes and strides unroll the taps.
  switch (size, stride) {
  case (3, 1): row.convolve(size: 3, stride: 1)
  case (3, 2): row.convolve(size: 3, stride: 2)
  case (5, 1): row.convolve(size: 5, stride: 1)
  case (5, 2): row.convolve(size: 5, stride: 2)
  default: preconditionFailure("depthwise convolution with size \(size), stride \(stride)")
  }
}

/// The operands of one output row.
@frozen @usableFromInline
struct DepthwiseRow<V: KernelVector> {
  @usableFromInline var rows: UnsafePointer<UnsafePointer<Float>?>
  @usableFromInline var leftPad: Int
  @usableFromInline var inputWidth: Int
  @usableFromInline var channels: Int
  @usableFromInline var weight: UnsafePointer<Float>
  @usableFromInline var bias: UnsafePointer<Float>
  @usableFromInline var activation: Activation
  @usableFromInline var output: UnsafeMutablePointer<Float>
  @usableFromInline var outputWidth: Int

  @usableFromInline @_transparent
  init(
    rows: UnsafePointer<UnsafePointer<Float>?>, leftPad: Int, inputWidth: Int, channels: Int,
    weight: UnsafePointer<Float>, bias: UnsafePointer<Float>, activation: Activation,
    output: UnsafeMutablePointer<Float>, outputWidth: Int
  ) {
    self.rows = rows
    self.leftPad = leftPad
    self.inputWidth = inputWidth
    self.channels = channels
    self.weight = weight
    self.bias = bias
    self.activation = activation
    self.output = output
    self.outputWidth = outputWidth
  }

  @usableFromInline @_transparent
  func convolve(size: Int, stride: Int) {
    // Columns firstInside ..< endInside have all their taps inside the map.
    let firstInside = min((leftPad &+ stride &- 1) / stride, outputWidth)
    let reach = inputWidth &- size &+ leftPad
    let endInside = max(reach < 0 ? 0 : min(reach / stride &+ 1, outputWidth), firstInside)
    var channel = 0
    while channel < channels {
      for x in 0..<firstInside { edgeColumn(x, channel, size: size, stride: stride) }
      var x = firstInside
      while x &+ 8 <= endInside {
        eightColumns(x, channel, size: size, stride: stride)
        x &+= 8
      }
      while x < outputWidth {
        edgeColumn(x, channel, size: size, stride: stride)
        x &+= 1
      }
      channel &+= V.scalarCount
      // The last block ends with the channels and repeats some of its predecessor's.
      if channel < channels, channel &+ V.scalarCount > channels {
        channel = max(channels &- V.scalarCount, 0)
      }
    }
  }

  /// One column, taps outside the map skipped.
  @usableFromInline @_transparent
  func edgeColumn(_ x: Int, _ channel: Int, size: Int, stride: Int) {
    let first = x &* stride &- leftPad
    let taps = max(0, -first)..<max(min(size, inputWidth &- first), max(0, -first))
    if channels < V.scalarCount {
      var sum = loadPart(bias, channels, filler: 0, as: V.self)
      for ky in 0..<size {
        guard let row = rows[ky] else { continue }
        for kx in taps {
          let value = loadPart(row + (first &+ kx) &* channels, channels, filler: 0, as: V.self)
          let w = loadPart(
            weight + (ky &* size &+ kx) &* channels, channels, filler: 0, as: V.self)
          sum = V.multiplyAdd(value, w, sum)
        }
      }
      storePart(activateVector(sum, activation), to: output + x &* channels, channels)
      return
    }
    var sum = loadVector(bias + channel, as: V.self)
    for ky in 0..<size {
      guard let row = rows[ky] else { continue }
      for kx in taps {
        let value = loadVector(row + ((first &+ kx) &* channels &+ channel), as: V.self)
        let w = loadVector(weight + ((ky &* size &+ kx) &* channels &+ channel), as: V.self)
        sum = V.multiplyAdd(value, w, sum)
      }
    }
    storeVector(activateVector(sum, activation), to: output + (x &* channels &+ channel))
  }

  /// Eight neighbouring columns whose taps are all inside: each input vector is loaded once a row
  /// and used by every column that it reaches, and eight sums keep both multipliers busy.
  @usableFromInline @_transparent
  func eightColumns(_ x: Int, _ channel: Int, size: Int, stride: Int) {
    let start = loadVector(bias + channel, as: V.self)
    var sum0 = start
    var sum1 = start
    var sum2 = start
    var sum3 = start
    var sum4 = start
    var sum5 = start
    var sum6 = start
    var sum7 = start
    let offset = (x &* stride &- leftPad) &* channels &+ channel
    for ky in 0..<size {
      guard let row = rows[ky] else { continue }
      let taps = DepthwiseTaps<V>(
        row + offset, weight + (ky &* size &* channels &+ channel), channels, size: size)
      taps.add(to: &sum0, at: 0, size: size)
      taps.add(to: &sum1, at: stride, size: size)
      taps.add(to: &sum2, at: 2 &* stride, size: size)
      taps.add(to: &sum3, at: 3 &* stride, size: size)
      taps.add(to: &sum4, at: 4 &* stride, size: size)
      taps.add(to: &sum5, at: 5 &* stride, size: size)
      taps.add(to: &sum6, at: 6 &* stride, size: size)
      taps.add(to: &sum7, at: 7 &* stride, size: size)
    }
    let target = output + (x &* channels &+ channel)
    storeVector(activateVector(sum0, activation), to: target)
    storeVector(activateVector(sum1, activation), to: target + channels)
    storeVector(activateVector(sum2, activation), to: target + 2 &* channels)
    storeVector(activateVector(sum3, activation), to: target + 3 &* channels)
    storeVector(activateVector(sum4, activation), to: target + 4 &* channels)
    storeVector(activateVector(sum5, activation), to: target + 5 &* channels)
    storeVector(activateVector(sum6, activation), to: target + 6 &* channels)
    storeVector(activateVector(sum7, activation), to: target + 7 &* channels)
  }
}

/// The taps of one kernel row in registers, beside the input row they are laid on.
@frozen @usableFromInline
struct DepthwiseTaps<V: KernelVector> {
  @usableFromInline var input: UnsafePointer<Float>
  @usableFromInline var channels: Int
  @usableFromInline var w0: V
  @usableFromInline var w1: V
  @usableFromInline var w2: V
  @usableFromInline var w3: V
  @usableFromInline var w4: V

  @usableFromInline @_transparent
  init(
    _ input: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ channels: Int, size: Int
  ) {
    self.input = input
    self.channels = channels
    w0 = loadVector(weight, as: V.self)
    w1 = loadVector(weight + channels, as: V.self)
    w2 = loadVector(weight + 2 &* channels, as: V.self)
    w3 = size == 5 ? loadVector(weight + 3 &* channels, as: V.self) : w0
    w4 = size == 5 ? loadVector(weight + 4 &* channels, as: V.self) : w0
  }

  @usableFromInline @_transparent
  func add(to sum: inout V, at column: Int, size: Int) {
    sum = V.multiplyAdd(loadVector(input + column &* channels, as: V.self), w0, sum)
    sum = V.multiplyAdd(loadVector(input + (column &+ 1) &* channels, as: V.self), w1, sum)
    sum = V.multiplyAdd(loadVector(input + (column &+ 2) &* channels, as: V.self), w2, sum)
    if size == 5 {
      sum = V.multiplyAdd(loadVector(input + (column &+ 3) &* channels, as: V.self), w3, sum)
      sum = V.multiplyAdd(loadVector(input + (column &+ 4) &* channels, as: V.self), w4, sum)
    }
  }
}
