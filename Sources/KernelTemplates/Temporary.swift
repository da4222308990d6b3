@inlinable @inline(__always)
public func softmaxRow<V: KernelVector>(
  _ values: UnsafeMutablePointer<Float>, _ count: Int, vector: V.Type
) {
  var largest = -Float.infinity
  for i in 0..<count where values[i] > largest { largest = values[i] }
  var sum: Float = 0
  var i = 0
  while i < count {
    let n = min(V.scalarCount, count - i)
    let x = expVector(loadPartial(values + i, count: n, as: V.self) - V(repeating: largest))
    storePartial(x, to: values + i, count: n)
    i += n
  }
  for i in 0..<count { sum += values[i] }
  for i in 0..<count { values[i] /= sum }
}
