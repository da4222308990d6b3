/// Writes the first `count` lanes, half a vector at once where half is wanted.
@inlinable @inline(__always)
public func storePartial<V: KernelVector>(
  _ vector: V, to pointer: UnsafeMutablePointer<Float>, count: Int
) {
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
public func loadPartial<V: KernelVector>(_ pointer: UnsafePointer<Float>, count: Int, as: V.Type)
  -> V
{
  var vector = V.zero
  withUnsafeMutableBytes(of: &vector) { bytes in
    guard let target = bytes.baseAddress else { return }
    for i in 0..<count {
      target.storeBytes(of: pointer[i], toByteOffset: 4 * i, as: Float.self)
    }
  }
  return vector
}
