/// Softmax of each row in place; see ``KernelTable/softmax``.
///
/// Four rows at a time: a row alone would wait for its maximum, its exponentials, its sum and its
/// division, one after the other.
@_transparent
public func softmax<V: KernelVector>(
  _ values: UnsafeMutablePointer<Float>, _ rows: Int, _ count: Int, _ stride: Int, vector: V.Type
) {
  var row = 0
  while row &+ 4 <= rows, count >= V.scalarCount {
    softmaxFourRows(values + row &* stride, count, stride, vector: V.self)
    row &+= 4
  }
  while row < rows {
    softmaxRow(values + row &* stride, count, vector: V.self)
    row &+= 1
  }
}

/// Three passes over values that are in the first cache: largest, exponentials and their sum, scaling.
///
/// The incomplete last vector overlaps its predecessor; the lanes that it repeats are left out of
/// the sum.
@usableFromInline @_transparent
func softmaxRow<V: KernelVector>(
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
  var largest = last
  var i = 0
  while i < end {
    largest = loadVector(values + i, as: V.self).raised(to: largest)
    i &+= width
  }
  largest = V(repeating: largest.laneMaximum())
  let fresh = lastLanes(width &- (i &- end), as: V.self)
  let lastExp = expVector(last - largest)
  var sum = lastExp * fresh
  i = 0
  while i < end {
    let e = expVector(loadVector(values + i, as: V.self) - largest)
    storeVector(e, to: values + i)
    sum = sum + e
    i &+= width
  }
  let scale = V(repeating: 1 / sum.laneSum())
  i = 0
  while i < end {
    storeVector(loadVector(values + i, as: V.self) * scale, to: values + i)
    i &+= width
  }
  storeVector(lastExp * scale, to: values + end)
}

/// The same for four rows of at least one vector.
@usableFromInline @_transparent
func softmaxFourRows<V: KernelVector>(
  _ values: UnsafeMutablePointer<Float>, _ count: Int, _ stride: Int, vector: V.Type
) {
  let width = V.scalarCount
  let end = count &- width
  let row0 = values
  let row1 = row0 + stride
  let row2 = row1 + stride
  let row3 = row2 + stride
  var last0 = loadVector(row0 + end, as: V.self)
  var last1 = loadVector(row1 + end, as: V.self)
  var last2 = loadVector(row2 + end, as: V.self)
  var last3 = loadVector(row3 + end, as: V.self)
  var largest0 = last0
  var largest1 = last1
  var largest2 = last2
  var largest3 = last3
  var i = 0
  while i < end {
    largest0 = loadVector(row0 + i, as: V.self).raised(to: largest0)
    largest1 = loadVector(row1 + i, as: V.self).raised(to: largest1)
    largest2 = loadVector(row2 + i, as: V.self).raised(to: largest2)
    largest3 = loadVector(row3 + i, as: V.self).raised(to: largest3)
    i &+= width
  }
  largest0 = V(repeating: largest0.laneMaximum())
  largest1 = V(repeating: largest1.laneMaximum())
  largest2 = V(repeating: largest2.laneMaximum())
  largest3 = V(repeating: largest3.laneMaximum())

  last0 = expVector(last0 - largest0)
  last1 = expVector(last1 - largest1)
  last2 = expVector(last2 - largest2)
  last3 = expVector(last3 - largest3)
  let fresh = lastLanes(width &- (i &- end), as: V.self)
  var sum0 = last0 * fresh
  var sum1 = last1 * fresh
  var sum2 = last2 * fresh
  var sum3 = last3 * fresh
  i = 0
  while i < end {
    let e0 = expVector(loadVector(row0 + i, as: V.self) - largest0)
    let e1 = expVector(loadVector(row1 + i, as: V.self) - largest1)
    let e2 = expVector(loadVector(row2 + i, as: V.self) - largest2)
    let e3 = expVector(loadVector(row3 + i, as: V.self) - largest3)
    storeVector(e0, to: row0 + i)
    storeVector(e1, to: row1 + i)
    storeVector(e2, to: row2 + i)
    storeVector(e3, to: row3 + i)
    sum0 = sum0 + e0
    sum1 = sum1 + e1
    sum2 = sum2 + e2
    sum3 = sum3 + e3
    i &+= width
  }
  let scale0 = V(repeating: 1 / sum0.laneSum())
  let scale1 = V(repeating: 1 / sum1.laneSum())
  let scale2 = V(repeating: 1 / sum2.laneSum())
  let scale3 = V(repeating: 1 / sum3.laneSum())
  i = 0
  while i < end {
    storeVector(loadVector(row0 + i, as: V.self) * scale0, to: row0 + i)
    storeVector(loadVector(row1 + i, as: V.self) * scale1, to: row1 + i)
    storeVector(loadVector(row2 + i, as: V.self) * scale2, to: row2 + i)
    storeVector(loadVector(row3 + i, as: V.self) * scale3, to: row3 + i)
    i &+= width
  }
  storeVector(last0 * scale0, to: row0 + end)
  storeVector(last1 * scale1, to: row1 + end)
  storeVector(last2 * scale2, to: row2 + end)
  storeVector(last3 * scale3, to: row3 + end)
}
