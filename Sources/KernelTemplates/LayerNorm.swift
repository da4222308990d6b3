/// Normalises each row over its channels; see ``KernelTable/layerNorm``.
///
/// Mean first, then the mean of the squared distances from it, then the result: three passes over
/// rows that are in the first cache. The one-pass form cancels where the mean is large. Four rows at
/// a time: a row alone would wait for its two sums, its root and its division.
@inlinable @inline(__always)
public func layerNorm<V: KernelVector>(
  _ input: UnsafePointer<Float>, _ inputStride: Int, _ rows: Int, _ channels: Int,
  _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ epsilon: Float,
  _ output: UnsafeMutablePointer<Float>, _ outputStride: Int, vector: V.Type
) {
  let norm = LayerNormRows<V>(
    inputStride: inputStride, outputStride: outputStride, channels: channels, weight: weight,
    bias: bias, epsilon: epsilon)
  var row = 0
  if channels < V.scalarCount {
    while row < rows {
      norm.narrowRow(input + row &* inputStride, output + row &* outputStride)
      row &+= 1
    }
    return
  }
  while row &+ 4 <= rows {
    norm.fourRows(input + row &* inputStride, output + row &* outputStride)
    row &+= 4
  }
  while row < rows {
    norm.oneRow(input + row &* inputStride, output + row &* outputStride)
    row &+= 1
  }
}

/// The operands that all rows share.
///
/// Where the vector does not divide the channels, the last vector of a row overlaps its predecessor,
/// and `fresh` masks the lanes that are its own out of it. It is loaded before anything is stored, so
/// that it sees the original values in place, too.
@frozen @usableFromInline
struct LayerNormRows<V: KernelVector> {
  @usableFromInline var inputStride: Int
  @usableFromInline var outputStride: Int
  @usableFromInline var channels: Int
  @usableFromInline var weight: UnsafePointer<Float>
  @usableFromInline var bias: UnsafePointer<Float>
  @usableFromInline var epsilon: Float
  @usableFromInline var reciprocal: Float
  @usableFromInline var fresh: V

  @usableFromInline @_transparent
  init(
    inputStride: Int, outputStride: Int, channels: Int, weight: UnsafePointer<Float>,
    bias: UnsafePointer<Float>, epsilon: Float
  ) {
    self.inputStride = inputStride
    self.outputStride = outputStride
    self.channels = channels
    self.weight = weight
    self.bias = bias
    self.epsilon = epsilon
    reciprocal = 1 / Float(channels)
    let rest = channels % V.scalarCount
    fresh = lastLanes(rest == 0 ? V.scalarCount : rest, as: V.self)
  }

  /// The mean of all channels, from the sum of each lane.
  @usableFromInline @_transparent
  func mean(_ sum: V) -> V { V(repeating: sum.laneSum() * reciprocal) }

  /// One over the standard deviations, from the sums of squares of four rows.
  @usableFromInline @_transparent
  func scales(_ squares0: V, _ squares1: V, _ squares2: V, _ squares3: V) -> SIMD4<Float> {
    let sums = SIMD4(
      squares0.laneSum(), squares1.laneSum(), squares2.laneSum(), squares3.laneSum())
    let variances = sums * SIMD4(repeating: reciprocal) + SIMD4(repeating: epsilon)
    return SIMD4(repeating: 1) / variances.squareRoots()
  }

  /// The same for one row.
  @usableFromInline @_transparent
  func scale(_ squares: V) -> V { V(repeating: scales(squares, squares, squares, squares)[0]) }

  /// `value` in the lanes that are the last vector's own, zero in the others.
  @usableFromInline @_transparent
  func own(_ value: V) -> V { value.whereAboveZero(fresh, else: V(repeating: 0)) }

  /// Four rows of at least one vector.
  @usableFromInline @_transparent
  func fourRows(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>) {
    let width = V.scalarCount
    let end = channels &- width
    let x0 = input
    let x1 = x0 + inputStride
    let x2 = x1 + inputStride
    let x3 = x2 + inputStride
    var last0 = loadVector(x0 + end, as: V.self)
    var last1 = loadVector(x1 + end, as: V.self)
    var last2 = loadVector(x2 + end, as: V.self)
    var last3 = loadVector(x3 + end, as: V.self)

    var sum0 = own(last0)
    var sum1 = own(last1)
    var sum2 = own(last2)
    var sum3 = own(last3)
    var c = 0
    while c < end {
      sum0 = sum0 + loadVector(x0 + c, as: V.self)
      sum1 = sum1 + loadVector(x1 + c, as: V.self)
      sum2 = sum2 + loadVector(x2 + c, as: V.self)
      sum3 = sum3 + loadVector(x3 + c, as: V.self)
      c &+= width
    }
    let mean0 = mean(sum0)
    let mean1 = mean(sum1)
    let mean2 = mean(sum2)
    let mean3 = mean(sum3)

    last0 = last0 - mean0
    last1 = last1 - mean1
    last2 = last2 - mean2
    last3 = last3 - mean3
    sum0 = own(last0 * last0)
    sum1 = own(last1 * last1)
    sum2 = own(last2 * last2)
    sum3 = own(last3 * last3)
    c = 0
    while c < end {
      let d0 = loadVector(x0 + c, as: V.self) - mean0
      let d1 = loadVector(x1 + c, as: V.self) - mean1
      let d2 = loadVector(x2 + c, as: V.self) - mean2
      let d3 = loadVector(x3 + c, as: V.self) - mean3
      sum0 = V.multiplyAdd(d0, d0, sum0)
      sum1 = V.multiplyAdd(d1, d1, sum1)
      sum2 = V.multiplyAdd(d2, d2, sum2)
      sum3 = V.multiplyAdd(d3, d3, sum3)
      c &+= width
    }
    let scales = scales(sum0, sum1, sum2, sum3)
    let scale0 = V(repeating: scales[0])
    let scale1 = V(repeating: scales[1])
    let scale2 = V(repeating: scales[2])
    let scale3 = V(repeating: scales[3])

    let y0 = output
    let y1 = y0 + outputStride
    let y2 = y1 + outputStride
    let y3 = y2 + outputStride
    c = 0
    while c < end {
      let w = loadVector(weight + c, as: V.self)
      let b = loadVector(bias + c, as: V.self)
      let d0 = (loadVector(x0 + c, as: V.self) - mean0) * scale0
      let d1 = (loadVector(x1 + c, as: V.self) - mean1) * scale1
      let d2 = (loadVector(x2 + c, as: V.self) - mean2) * scale2
      let d3 = (loadVector(x3 + c, as: V.self) - mean3) * scale3
      storeVector(V.multiplyAdd(d0, w, b), to: y0 + c)
      storeVector(V.multiplyAdd(d1, w, b), to: y1 + c)
      storeVector(V.multiplyAdd(d2, w, b), to: y2 + c)
      storeVector(V.multiplyAdd(d3, w, b), to: y3 + c)
      c &+= width
    }
    let w = loadVector(weight + end, as: V.self)
    let b = loadVector(bias + end, as: V.self)
    storeVector(V.multiplyAdd(last0 * scale0, w, b), to: y0 + end)
    storeVector(V.multiplyAdd(last1 * scale1, w, b), to: y1 + end)
    storeVector(V.multiplyAdd(last2 * scale2, w, b), to: y2 + end)
    storeVector(V.multiplyAdd(last3 * scale3, w, b), to: y3 + end)
  }

  /// One row of at least one vector.
  @usableFromInline @_transparent
  func oneRow(_ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    let width = V.scalarCount
    let end = channels &- width
    let last = loadVector(x + end, as: V.self)
    var sum = own(last)
    var c = 0
    while c < end {
      sum = sum + loadVector(x + c, as: V.self)
      c &+= width
    }
    let mean = mean(sum)
    let lastDistance = last - mean
    sum = own(lastDistance * lastDistance)
    c = 0
    while c < end {
      let d = loadVector(x + c, as: V.self) - mean
      sum = V.multiplyAdd(d, d, sum)
      c &+= width
    }
    let scale = scale(sum)
    c = 0
    while c < end {
      let d = (loadVector(x + c, as: V.self) - mean) * scale
      let w = loadVector(weight + c, as: V.self)
      storeVector(V.multiplyAdd(d, w, loadVector(bias + c, as: V.self)), to: y + c)
      c &+= width
    }
    let w = loadVector(weight + end, as: V.self)
    let b = loadVector(bias + end, as: V.self)
    storeVector(V.multiplyAdd(lastDistance * scale, w, b), to: y + end)
  }

  /// One row with fewer channels than lanes.
  @usableFromInline @_transparent
  func narrowRow(_ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    let value = loadPart(x, channels, filler: 0, as: V.self)
    let unused = lastLanes(V.scalarCount &- channels, as: V.self)
    let mean = mean(value)
    let d = V(repeating: 0).whereAboveZero(unused, else: value - mean)
    let w = loadPart(weight, channels, filler: 0, as: V.self)
    let b = loadPart(bias, channels, filler: 0, as: V.self)
    storePart(V.multiplyAdd(d * scale(d * d), w, b), to: y, channels)
  }
}
