/// Loads `scalarCount` floats from an address of any alignment.
@inlinable @inline(__always)
public func loadVector<V: KernelVector>(_ address: UnsafePointer<Float>, as vector: V.Type) -> V {
  UnsafeRawPointer(address).loadUnaligned(as: V.self)
}

/// Stores `scalarCount` floats to an address of any alignment.
@inlinable @inline(__always)
public func storeVector<V: KernelVector>(_ value: V, to address: UnsafeMutablePointer<Float>) {
  UnsafeMutableRawPointer(address).storeBytes(of: value, as: V.self)
}
