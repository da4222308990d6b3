import KernelInterface

@inlinable @inline(__always)
public func activateVector<V: SIMD>(_ x: V, _ activation: Activation) -> V where V.Scalar == Float {
  x
}

@inlinable @inline(__always)
public func softmaxRow<V: SIMD>(
  _ values: UnsafeMutablePointer<Float>, _ count: Int, vector: V.Type
) where V.Scalar == Float {
}
