/// `a · b + c`: one instruction where the module's flags allow FMA, a product and a sum on baseline x86-64,
/// where `addingProduct` would be a call per lane.
@inlinable @inline(__always)
public func multiplyAdd<V: SIMD>(_ a: V, _ b: V, _ c: V) -> V where V.Scalar == Float {
  #if arch(x86_64)
    V.scalarCount == 4 ? c + a * b : c.addingProduct(a, b)
  #else
    c.addingProduct(a, b)
  #endif
}

/// Reads one vector; no alignment needed.
@inlinable @inline(__always)
public func load<V: SIMD>(_ pointer: UnsafePointer<Float>, as: V.Type) -> V
where V.Scalar == Float {
  UnsafeRawPointer(pointer).loadUnaligned(as: V.self)
}

/// Writes one vector; no alignment needed.
@inlinable @inline(__always)
public func store<V: SIMD>(_ vector: V, to pointer: UnsafeMutablePointer<Float>)
where V.Scalar == Float {
  UnsafeMutableRawPointer(pointer).storeBytes(of: vector, as: V.self)
}

/// Writes the first `count` lanes, half a vector at once where half is wanted.
@inlinable @inline(__always)
public func store<V: SIMD>(_ vector: V, to pointer: UnsafeMutablePointer<Float>, count: Int)
where V.Scalar == Float {
  withUnsafeBytes(of: vector) { bytes in
    let output = UnsafeMutableRawPointer(pointer)
    guard let source = bytes.baseAddress else { return }
    let half = MemoryLayout<V>.size / 2
    if count * 2 == V.scalarCount {
      output.copyMemory(from: source, byteCount: half)
    } else {
      for i in 0..<count {
        pointer[i] = source.load(fromByteOffset: 4 * i, as: Float.self)
      }
    }
  }
}

/// Reads the first `count` floats into a vector; the other lanes are zero.
@inlinable @inline(__always)
public func load<V: SIMD>(_ pointer: UnsafePointer<Float>, count: Int, as: V.Type) -> V
where V.Scalar == Float {
  var vector = V.zero
  withUnsafeMutableBytes(of: &vector) { bytes in
    guard let target = bytes.baseAddress else { return }
    for i in 0..<count {
      target.storeBytes(of: pointer[i], toByteOffset: 4 * i, as: Float.self)
    }
  }
  return vector
}
