/// `255 · sigmoid` of `count` logits as bytes; see ``KernelTable/sigmoidBytes``.
@inlinable @inline(__always)
public func sigmoidBytes<V: KernelVector>(
  _ logits: UnsafePointer<Float>, _ output: UnsafeMutablePointer<UInt8>, _ count: Int,
  vector: V.Type
) {
  let width = V.scalarCount
  guard count >= width else {
    let value = sigmoidByteBits(loadPart(logits, count, filler: 0, as: V.self))
    for i in 0..<count { output[i] = UInt8(truncatingIfNeeded: value[i].bitPattern) }
    return
  }
  let end = count &- width
  var i = 0
  while i < end {
    sigmoidByteBits(loadVector(logits + i, as: V.self)).storeLowBytes(to: output + i)
    i &+= width
  }
  sigmoidByteBits(loadVector(logits + end, as: V.self)).storeLowBytes(to: output + end)
}

/// Floats whose bit patterns end in the byte of each logit.
///
/// The half of the curve above zero is computed and rounded (to 128 or more), the other is its
/// mirror image (255 minus it, 127 or less): so the bytes tell the sign of every logit exactly.
@usableFromInline @_transparent
func sigmoidByteBits<V: KernelVector>(_ logit: V) -> V {
  let zero = V(repeating: 0)
  let full = V(repeating: 255)
  // From 2²³ on, floats are the whole numbers: adding it rounds to nearest even, and the sum's low
  // bits are the number.
  let magic = V(repeating: 8_388_608)
  let decay = expVector(logit.lowered(to: zero - logit))
  let above = (full / (V(repeating: 1) + decay) + magic) - magic
  let bits = above.whereAboveZero(logit, else: full - above) + magic
  return bits.whereAboveZero(bits, else: zero)  // NaN is not above zero
}
