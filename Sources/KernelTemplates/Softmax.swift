/// Softmax of `count` values in place; see ``KernelTable/softmax``.
///
/// Three passes over values that are in the first cache: largest, exponentials and their sum, scaling.
/// The incomplete last vector overlaps its predecessor; the lanes that it repeats are left out of
/// the sum.
@inlinable @inline(__always)
public func softmax<V: KernelVector>(
  _ values: UnsafeMutablePointer<Float>, _ count: Int, vector: V.Type
) {
  let width = V.scalarCount
  guard count >= width else {
    let x = loadPart(values, count, filler: -.infinity, as: V.self)
    let e = expVector(x - V(repeating: x.laneMaximum()))
    storePart(e * V(repeating: 1 / e.laneSum()), to: values, count)
    return
  }
  let end = count &- width
  let last = loadVector(values + end, as: V.self)
  var i = 0
  var largest0 = last
  var largest1 = last
  while i &+ width < end {
    largest0 = loadVector(values + i, as: V.self).raised(to: largest0)
    largest1 = loadVector(values + (i &+ width), as: V.self).raised(to: largest1)
    i &+= 2 &* width
  }
  if i < end { largest0 = loadVector(values + i, as: V.self).raised(to: largest0) }
  let largest = V(repeating: largest0.raised(to: largest1).laneMaximum())

  var sum = V(repeating: 0)
  i = 0
  while i < end {
    let e = expVector(loadVector(values + i, as: V.self) - largest)
    storeVector(e, to: values + i)
    sum = sum + e
    i &+= width
  }
  let e = expVector(last - largest)
  storeVector(e, to: values + end)
  sum = V.multiplyAdd(e, lastLanes(width &- (i &- end), as: V.self), sum)

  // The last vector again repeats lanes: it is scaled from the register, not from memory.
  let scale = V(repeating: 1 / sum.laneSum())
  i = 0
  while i < end {
    storeVector(loadVector(values + i, as: V.self) * scale, to: values + i)
    i &+= width
  }
  storeVector(e * scale, to: values + end)
}
