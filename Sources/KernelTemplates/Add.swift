/// `output[i] = left[i] + right[i]`; see ``KernelTable/add``.
@inlinable @inline(__always)
public func add<V: KernelVector>(
  _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
  _ output: UnsafeMutablePointer<Float>, _ count: Int, vector: V.Type
) {
  mapVectors(left, right, output, count, V.self) { $0 + $1 }
}
