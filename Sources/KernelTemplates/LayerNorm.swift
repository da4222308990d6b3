/// Normalises each row over its channels; see ``KernelTable/layerNorm``.
///
/// Mean first, then the mean of the squared distances from it, then the result: three passes over a
/// row that is in the first cache. The one-pass form cancels where the mean is large. Rows are
/// independent, so the processor overlaps the sums of one with the passes of the next.
@inlinable @inline(__always)
public func layerNorm<V: KernelVector>(
  _ input: UnsafePointer<Float>, _ inputStride: Int, _ rows: Int, _ channels: Int,
  _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ epsilon: Float,
  _ output: UnsafeMutablePointer<Float>, _ outputStride: Int, vector: V.Type
) {
  let width = V.scalarCount
  let reciprocal = 1 / Float(channels)
  if channels < width {
    let w = loadPart(weight, channels, filler: 0, as: V.self)
    let b = loadPart(bias, channels, filler: 0, as: V.self)
    let used = lastLanes(width &- channels, as: V.self)
    for row in 0..<rows {
      let x = loadPart(input + row &* inputStride, channels, filler: 0, as: V.self)
      let mean = V(repeating: x.laneSum() * reciprocal)
      let d = V(repeating: 0).whereAboveZero(used, else: x - mean)
      let scale = 1 / ((d * d).laneSum() * reciprocal + epsilon).squareRoot()
      let y = V.multiplyAdd(d * V(repeating: scale), w, b)
      storePart(y, to: output + row &* outputStride, channels)
    }
    return
  }
  // The last vector overlaps its predecessor where `width` does not divide `channels`.
  let end = channels &- width
  let fresh = channels % width == 0 ? width : channels % width
  let mask = lastLanes(fresh, as: V.self)
  for row in 0..<rows {
    let x = input + row &* inputStride
    let y = output + row &* outputStride
    let last = loadVector(x + end, as: V.self)

    var sum0 = last.whereAboveZero(mask, else: V(repeating: 0))
    var sum1 = V(repeating: 0)
    var c = 0
    while c &+ width < end {
      sum0 = sum0 + loadVector(x + c, as: V.self)
      sum1 = sum1 + loadVector(x + (c &+ width), as: V.self)
      c &+= 2 &* width
    }
    if c < end { sum0 = sum0 + loadVector(x + c, as: V.self) }
    let mean = V(repeating: (sum0 + sum1).laneSum() * reciprocal)

    let lastDistance = last - mean
    let lastSquare = lastDistance * lastDistance
    var square0 = lastSquare.whereAboveZero(mask, else: V(repeating: 0))
    var square1 = V(repeating: 0)
    c = 0
    while c &+ width < end {
      let d0 = loadVector(x + c, as: V.self) - mean
      let d1 = loadVector(x + (c &+ width), as: V.self) - mean
      square0 = V.multiplyAdd(d0, d0, square0)
      square1 = V.multiplyAdd(d1, d1, square1)
      c &+= 2 &* width
    }
    if c < end {
      let d = loadVector(x + c, as: V.self) - mean
      square0 = V.multiplyAdd(d, d, square0)
    }
    let variance = (square0 + square1).laneSum() * reciprocal
    let scale = V(repeating: 1 / (variance + epsilon).squareRoot())

    c = 0
    while c < end {
      let d = loadVector(x + c, as: V.self) - mean
      let w = loadVector(weight + c, as: V.self)
      storeVector(V.multiplyAdd(d * scale, w, loadVector(bias + c, as: V.self)), to: y + c)
      c &+= width
    }
    let w = loadVector(weight + end, as: V.self)
    let b = loadVector(bias + end, as: V.self)
    storeVector(V.multiplyAdd(lastDistance * scale, w, b), to: y + end)
  }
}
