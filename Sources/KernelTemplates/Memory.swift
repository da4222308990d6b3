#if hasFeature(BuiltinModule)
  import Builtin
#endif

/// Loads `scalarCount` floats from an address of any alignment.
@_transparent
public func loadVector<V: KernelVector>(_ address: UnsafePointer<Float>, as vector: V.Type) -> V {
  #if hasFeature(BuiltinModule)
    // loadUnaligned and storeBytes are these, but leave weak functions in the objects.
    Builtin.loadRaw(address._rawValue)
  #else
    UnsafeRawPointer(address).loadUnaligned(as: V.self)
  #endif
}

/// Loads `count < scalarCount` floats; the other lanes are `filler`.
@_transparent
public func loadPart<V: KernelVector>(
  _ address: UnsafePointer<Float>, _ count: Int, filler: Float, as vector: V.Type
) -> V {
  var value = V(repeating: filler)
  var i = 0
  if count >= V.scalarCount / 2 {
    value = value.loadingFirstHalf(from: address)
    i = V.scalarCount / 2
  }
  while i < count {
    value[i] = address[i]
    i &+= 1
  }
  return value
}

/// Stores `scalarCount` floats to an address of any alignment.
@_transparent
public func storeVector<V: KernelVector>(_ value: V, to address: UnsafeMutablePointer<Float>) {
  #if hasFeature(BuiltinModule)
    Builtin.storeRaw(value, address._rawValue)
  #else
    UnsafeMutableRawPointer(address).storeBytes(of: value, as: V.self)
  #endif
}

/// Stores the first `count < scalarCount` lanes.
@_transparent
public func storePart<V: KernelVector>(
  _ value: V, to address: UnsafeMutablePointer<Float>, _ count: Int
) {
  var i = 0
  if count >= V.scalarCount / 2 {
    value.storeFirstHalf(to: address)
    i = V.scalarCount / 2
  }
  while i < count {
    address[i] = value[i]
    i &+= 1
  }
}

/// One in the last `count` lanes, zero in the others.
@_transparent
public func lastLanes<V: KernelVector>(_ count: Int, as vector: V.Type) -> V {
  let distance = V.laneNumbers - V(repeating: Float(V.scalarCount - count) - 0.5)
  return V(repeating: 1).whereAboveZero(distance, else: V(repeating: 0))
}

/// `output[i] = transform(input[i])` for `count` values; `output == input` is allowed.
///
/// What is left after the whole vectors is done as one more whole vector that ends with the array
/// and overlaps its predecessor. It is loaded before anything is stored, so that it sees the
/// original values in place, too.
@_transparent
public func mapVectors<V: KernelVector>(
  _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ count: Int,
  _ vector: V.Type, _ transform: (V) -> V
) {
  let width = V.scalarCount
  guard count >= width else {
    storePart(transform(loadPart(input, count, filler: 0, as: V.self)), to: output, count)
    return
  }
  let end = count &- width
  let last = loadVector(input + end, as: V.self)
  var i = 0
  while i < end {
    storeVector(transform(loadVector(input + i, as: V.self)), to: output + i)
    i &+= width
  }
  storeVector(transform(last), to: output + end)
}

/// `output[i] = transform(left[i], right[i])` for `count` values; `output` may be either operand.
@_transparent
public func mapVectors<V: KernelVector>(
  _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
  _ output: UnsafeMutablePointer<Float>, _ count: Int, _ vector: V.Type, _ transform: (V, V) -> V
) {
  let width = V.scalarCount
  guard count >= width else {
    let value = transform(
      loadPart(left, count, filler: 0, as: V.self), loadPart(right, count, filler: 0, as: V.self))
    storePart(value, to: output, count)
    return
  }
  let end = count &- width
  let lastLeft = loadVector(left + end, as: V.self)
  let lastRight = loadVector(right + end, as: V.self)
  var i = 0
  while i < end {
    let value = transform(loadVector(left + i, as: V.self), loadVector(right + i, as: V.self))
    storeVector(value, to: output + i)
    i &+= width
  }
  storeVector(transform(lastLeft, lastRight), to: output + end)
}
