import KernelInterface

/// Applies `activation` to `count` values; see ``KernelTable/activate``.
@inlinable @inline(__always)
public func activate<V: KernelVector>(
  _ activation: Activation, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>,
  _ count: Int, vector: V.Type
) {
  switch activation {
  case .none: mapVectors(input, output, count, V.self) { $0 }
  case .relu: mapVectors(input, output, count, V.self) { activateVector($0, .relu) }
  case .relu6: mapVectors(input, output, count, V.self) { activateVector($0, .relu6) }
  case .gelu: mapVectors(input, output, count, V.self) { geluVector($0) }
  }
}
