/// See ``KernelTable/groupedSoftmax``.
///
/// `V` has at most eight lanes: SAM's decoder has eight heads.
@inlinable @inline(__always)
public func groupedSoftmax<V: KernelVector>(
  _ values: UnsafeMutablePointer<Float>, _ rows: Int, _ groups: Int, _ width: Int, _ stride: Int,
  vector: V.Type
) {
  for r in 0..<rows {
    var i = 0
    while i < width {
      let first = values + r * stride + i
      let count = min(V.scalarCount, width - i)
      if count == V.scalarCount {
        var largest = loadVector(first, as: V.self)
        for g in 1..<max(1, groups) {
          largest = largest.raised(to: loadVector(first + g * width, as: V.self))
        }
        var sum = V.zero
        for g in 0..<groups {
          let x = expVector(loadVector(first + g * width, as: V.self) - largest)
          storeVector(x, to: first + g * width)
          sum += x
        }
        let scale = V.one / sum
        for g in 0..<groups {
          storeVector(loadVector(first + g * width, as: V.self) * scale, to: first + g * width)
        }
      } else {
        var largest = loadPart(first, count, filler: 0, as: V.self)
        for g in 1..<max(1, groups) {
          largest = largest.raised(to: loadPart(first + g * width, count, filler: 0, as: V.self))
        }
        var sum = V.zero
        for g in 0..<groups {
          let x = expVector(loadPart(first + g * width, count, filler: 0, as: V.self) - largest)
          storePart(x, to: first + g * width, count)
          sum += x
        }
        let scale = V.one / sum
        for g in 0..<groups {
          let x = loadPart(first + g * width, count, filler: 0, as: V.self) * scale
          storePart(x, to: first + g * width, count)
        }
      }
      i += V.scalarCount
    }
  }
}
