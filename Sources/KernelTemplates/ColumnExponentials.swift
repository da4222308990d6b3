/// See ``KernelTable/columnExponentials``.
@inlinable @inline(__always)
public func columnExponentials<V: KernelVector>(
  _ values: UnsafeMutablePointer<Float>, _ rows: Int, _ columns: Int, _ stride: Int,
  _ maxima: UnsafeMutablePointer<Float>, _ sums: UnsafeMutablePointer<Float>, vector: V.Type
) {
  let width = V.scalarCount
  var c = 0
  while c < columns {
    let count = min(width, columns - c)
    if count == width {
      var largest = loadVector(values + c, as: V.self)
      for r in 1..<max(1, rows) {
        largest = largest.raised(to: loadVector(values + r * stride + c, as: V.self))
      }
      var sum = V.zero
      for r in 0..<rows {
        let address = values + r * stride + c
        let x = expVector(loadVector(address, as: V.self) - largest)
        storeVector(x, to: address)
        sum += x
      }
      storeVector(largest, to: maxima + c)
      storeVector(sum, to: sums + c)
    } else {
      var largest = loadPart(values + c, count, filler: 0, as: V.self)
      for r in 1..<max(1, rows) {
        largest = largest.raised(
          to: loadPart(values + r * stride + c, count, filler: 0, as: V.self))
      }
      var sum = V.zero
      for r in 0..<rows {
        let address = values + r * stride + c
        let x = expVector(loadPart(address, count, filler: 0, as: V.self) - largest)
        storePart(x, to: address, count)
        sum += x
      }
      storePart(largest, to: maxima + c, count)
      storePart(sum, to: sums + c, count)
    }
    c += width
  }
}
