/// `output[i] = top[i] + (bottom[i] − top[i]) · fraction`; see ``KernelTable/interpolate``.
@inlinable @inline(__always)
public func interpolate<V: KernelVector>(
  _ top: UnsafePointer<Float>, _ bottom: UnsafePointer<Float>, _ fraction: Float,
  _ output: UnsafeMutablePointer<Float>, _ count: Int, vector: V.Type
) {
  let fraction = V(repeating: fraction)
  mapVectors(top, bottom, output, count, V.self) { V.multiplyAdd($1 - $0, fraction, $0) }
}
