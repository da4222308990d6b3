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
    rows: rows, size: size, stride: stride, leftPad: leftPad, inputWidth: inputWidth,
    channels: channels, weight: weight, bias: bias, activation: activation, output: output,
    outputWidth: outputWidth)
  // Constant sizes and strides unroll the taps of a kernel row.
  switch (size, stride) {
  case (3, 1): row.convolve(taps: 3, step: 1)
  case (3, 2): row.convolve(taps: 3, step: 2)
  case (5, 1): row.convolve(taps: 5, step: 1)
  case (5, 2): row.convolve(taps: 5, step: 2)
  default: preconditionFailure("depthwise convolution with size \(size), stride \(stride)")
  }
}

/// The operands of one output row.
///
/// In the methods `taps` and `step` are constants, `size` and `stride` the same as variables: the
/// loop over kernel rows stays a loop, because unrolled its addresses no longer fit in registers.
@frozen @usableFromInline
struct DepthwiseRow<V: KernelVector> {
  @usableFromInline var rows: UnsafePointer<UnsafePointer<Float>?>
  @usableFromInline var size: Int
  @usableFromInline var stride: Int
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
    rows: UnsafePointer<UnsafePointer<Float>?>, size: Int, stride: Int, leftPad: Int,
    inputWidth: Int, channels: Int, weight: UnsafePointer<Float>, bias: UnsafePointer<Float>,
    activation: Activation, output: UnsafeMutablePointer<Float>, outputWidth: Int
  ) {
    self.rows = rows
    self.size = size
    self.stride = stride
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
  func convolve(taps: Int, step: Int) {
    let width = V.scalarCount
    guard channels >= width else {
      for x in 0..<outputWidth { narrowColumn(x) }
      return
    }
    // Columns firstInside ..< endInside have all their taps inside the map.
    let firstInside = leftPad <= 0 ? 0 : min((leftPad &+ step &- 1) / step, outputWidth)
    let reach = inputWidth &- taps &+ leftPad
    let endInside = max(reach < 0 ? 0 : min(reach / step &+ 1, outputWidth), firstInside)
    // Rows come from the second cache, where whole rows of 64 channels stream as well as longer
    // ones, while the columns that the next eight share stay in the first.
    var chunk = 0
    while chunk < channels {
      let endChunk = min(chunk &+ 64, channels)
      var x = 0
      while x < outputWidth {
        let inside = x >= firstInside && x < endInside && endInside &- firstInside >= 8
        // The last eight columns end with the inside and repeat some of their predecessors'.
        if inside { x = min(x, endInside &- 8) }
        var channel = chunk
        while channel < endChunk {
          // The last vector ends with the channels and repeats some of its predecessor's.
          let c = min(channel, channels &- width)
          if inside {
            eightColumns(x, c, taps: taps, step: step)
            channel &+= width
          } else if channel &+ 4 &* width <= endChunk {
            fourVectors(x, channel)
            channel &+= 4 &* width
          } else {
            oneVector(x, c)
            channel &+= width
          }
        }
        x &+= inside ? 8 : 1
      }
      chunk = endChunk
    }
  }

  /// The taps of column `x` that are inside the map, from the first to before the last.
  @usableFromInline @_transparent
  func tapsInside(_ x: Int) -> (first: Int, end: Int) {
    let first = x &* stride &- leftPad
    return (max(0, -first), min(size, inputWidth &- first))
  }

  /// One column with fewer channels than lanes.
  @usableFromInline @_transparent
  func narrowColumn(_ x: Int) {
    let (first, end) = tapsInside(x)
    var sum = loadPart(bias, channels, filler: 0, as: V.self)
    var ky = 0
    while ky < size {
      if let row = rows[ky] {
        var kx = first
        while kx < end {
          let value = row + (x &* stride &- leftPad &+ kx) &* channels
          let tap = weight + (ky &* size &+ kx) &* channels
          sum = V.multiplyAdd(
            loadPart(value, channels, filler: 0, as: V.self),
            loadPart(tap, channels, filler: 0, as: V.self), sum)
          kx &+= 1
        }
      }
      ky &+= 1
    }
    storePart(activateVector(sum, activation), to: output + x &* channels, channels)
  }

  /// One column at the edge: one vector of channels, taps outside the map skipped.
  @usableFromInline @_transparent
  func oneVector(_ x: Int, _ channel: Int) {
    let (first, end) = tapsInside(x)
    var sum = loadVector(bias + channel, as: V.self)
    var ky = 0
    while ky < size {
      if let row = rows[ky] {
        var kx = first
        while kx < end {
          let value = row + ((x &* stride &- leftPad &+ kx) &* channels &+ channel)
          let tap = weight + ((ky &* size &+ kx) &* channels &+ channel)
          sum = V.multiplyAdd(loadVector(value, as: V.self), loadVector(tap, as: V.self), sum)
          kx &+= 1
        }
      }
      ky &+= 1
    }
    storeVector(activateVector(sum, activation), to: output + (x &* channels &+ channel))
  }

  /// The same for four vectors of channels at once, because one sum alone waits for itself.
  @usableFromInline @_transparent
  func fourVectors(_ x: Int, _ channel: Int) {
    let width = V.scalarCount
    let (first, end) = tapsInside(x)
    let start = bias + channel
    var sum0 = loadVector(start, as: V.self)
    var sum1 = loadVector(start + width, as: V.self)
    var sum2 = loadVector(start + 2 &* width, as: V.self)
    var sum3 = loadVector(start + 3 &* width, as: V.self)
    var ky = 0
    while ky < size {
      if let row = rows[ky] {
        var kx = first
        while kx < end {
          let value = row + ((x &* stride &- leftPad &+ kx) &* channels &+ channel)
          let tap = weight + ((ky &* size &+ kx) &* channels &+ channel)
          sum0 = V.multiplyAdd(loadVector(value, as: V.self), loadVector(tap, as: V.self), sum0)
          sum1 = V.multiplyAdd(
            loadVector(value + width, as: V.self), loadVector(tap + width, as: V.self), sum1)
          sum2 = V.multiplyAdd(
            loadVector(value + 2 &* width, as: V.self), loadVector(tap + 2 &* width, as: V.self),
            sum2)
          sum3 = V.multiplyAdd(
            loadVector(value + 3 &* width, as: V.self), loadVector(tap + 3 &* width, as: V.self),
            sum3)
          kx &+= 1
        }
      }
      ky &+= 1
    }
    let target = output + (x &* channels &+ channel)
    storeVector(activateVector(sum0, activation), to: target)
    storeVector(activateVector(sum1, activation), to: target + width)
    storeVector(activateVector(sum2, activation), to: target + 2 &* width)
    storeVector(activateVector(sum3, activation), to: target + 3 &* width)
  }

  /// Eight neighbouring columns whose taps are all inside: each input vector is loaded once a row
  /// and used by every column that it reaches, and eight sums keep both multipliers busy.
  @usableFromInline @_transparent
  func eightColumns(_ x: Int, _ channel: Int, taps: Int, step: Int) {
    let start = loadVector(bias + channel, as: V.self)
    var sum0 = start
    var sum1 = start
    var sum2 = start
    var sum3 = start
    var sum4 = start
    var sum5 = start
    var sum6 = start
    var sum7 = start
    let offset = (x &* step &- leftPad) &* channels &+ channel
    var w = weight + channel
    var ky = 0
    while ky < size {
      if let row = rows[ky] {
        let taps = DepthwiseTaps<V>(row + offset, w, channels, count: taps)
        taps.add(to: &sum0, at: 0)
        taps.add(to: &sum1, at: step)
        taps.add(to: &sum2, at: 2 &* step)
        taps.add(to: &sum3, at: 3 &* step)
        taps.add(to: &sum4, at: 4 &* step)
        taps.add(to: &sum5, at: 5 &* step)
        taps.add(to: &sum6, at: 6 &* step)
        taps.add(to: &sum7, at: 7 &* step)
      }
      w += size &* channels
      ky &+= 1
    }
    if activation == .gelu {
      sum0 = geluVector(sum0)
      sum1 = geluVector(sum1)
      sum2 = geluVector(sum2)
      sum3 = geluVector(sum3)
      sum4 = geluVector(sum4)
      sum5 = geluVector(sum5)
      sum6 = geluVector(sum6)
      sum7 = geluVector(sum7)
    } else if activation != .none {
      let lower = V(repeating: 0)
      let upper = V(repeating: activation == .relu6 ? 6 : .infinity)
      sum0 = sum0.raised(to: lower).lowered(to: upper)
      sum1 = sum1.raised(to: lower).lowered(to: upper)
      sum2 = sum2.raised(to: lower).lowered(to: upper)
      sum3 = sum3.raised(to: lower).lowered(to: upper)
      sum4 = sum4.raised(to: lower).lowered(to: upper)
      sum5 = sum5.raised(to: lower).lowered(to: upper)
      sum6 = sum6.raised(to: lower).lowered(to: upper)
      sum7 = sum7.raised(to: lower).lowered(to: upper)
    }
    let target = output + (x &* channels &+ channel)
    storeVector(sum0, to: target)
    storeVector(sum1, to: target + channels)
    storeVector(sum2, to: target + 2 &* channels)
    storeVector(sum3, to: target + 3 &* channels)
    storeVector(sum4, to: target + 4 &* channels)
    storeVector(sum5, to: target + 5 &* channels)
    storeVector(sum6, to: target + 6 &* channels)
    storeVector(sum7, to: target + 7 &* channels)
  }
}

/// The taps of one kernel row in registers, beside the input row they are laid on.
@frozen @usableFromInline
struct DepthwiseTaps<V: KernelVector> {
  @usableFromInline var input: UnsafePointer<Float>
  @usableFromInline var channels: Int
  @usableFromInline var count: Int
  @usableFromInline var w0: V
  @usableFromInline var w1: V
  @usableFromInline var w2: V
  @usableFromInline var w3: V
  @usableFromInline var w4: V

  @usableFromInline @_transparent
  init(
    _ input: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ channels: Int, count: Int
  ) {
    self.input = input
    self.channels = channels
    self.count = count
    w0 = loadVector(weight, as: V.self)
    w1 = loadVector(weight + channels, as: V.self)
    w2 = loadVector(weight + 2 &* channels, as: V.self)
    w3 = count == 5 ? loadVector(weight + 3 &* channels, as: V.self) : w0
    w4 = count == 5 ? loadVector(weight + 4 &* channels, as: V.self) : w0
  }

  @usableFromInline @_transparent
  func add(to sum: inout V, at column: Int) {
    sum = V.multiplyAdd(loadVector(input + column &* channels, as: V.self), w0, sum)
    sum = V.multiplyAdd(loadVector(input + (column &+ 1) &* channels, as: V.self), w1, sum)
    sum = V.multiplyAdd(loadVector(input + (column &+ 2) &* channels, as: V.self), w2, sum)
    if count == 5 {
      sum = V.multiplyAdd(loadVector(input + (column &+ 3) &* channels, as: V.self), w3, sum)
      sum = V.multiplyAdd(loadVector(input + (column &+ 4) &* channels, as: V.self), w4, sum)
    }
  }
}
