#if arch(x86_64)
  import CSamShims.Pairs
#endif

/// A weight of Pillow's in two parts that fit 16 bits: `high · 2048 + low`.
///
/// CPUs multiply and add pairs of 16-bit numbers in one instruction; a 32-bit product takes seven
/// on plain x86-64. Both parts are summed apart and joined at the end, modulo 2³² and so exactly.
struct SplitWeights {
  /// Even lanes weigh the first of two neighbours, odd lanes the second.
  let high: SIMD8<Int16>
  let low: SIMD8<Int16>

  /// Repeats the weights of two neighbours, each from 0 to 2²², over the lanes.
  init(_ first: Int32, _ second: Int32) {
    high = Self.pairs(first &>> 11, second &>> 11)
    low = Self.pairs(first & 2047, second & 2047)
  }

  private static func pairs(_ first: Int32, _ second: Int32) -> SIMD8<Int16> {
    let (a, b) = (Int16(truncatingIfNeeded: first), Int16(truncatingIfNeeded: second))
    return SIMD8(a, b, a, b, a, b, a, b)
  }
}

/// Sums over pairs of neighbours, weighted.
struct PairSums {
  private var high = SIMD4<Int32>.zero
  private var low = SIMD4<Int32>.zero

  @inline(__always)
  mutating func add(_ pairs: SIMD8<Int16>, times weights: SplitWeights) {
    high &+= sumOfProducts(pairs, weights.high)
    low &+= sumOfProducts(pairs, weights.low)
  }

  /// The sums in Pillow's fixed point, a half added.
  @inline(__always)
  var total: SIMD4<Int32> {
    (high &<< 11) &+ low &+ PillowFilter.half
  }
}

/// The products of two vectors, the even one's and the odd one's of each pair added.
@inline(__always)
private func sumOfProducts(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
  #if arch(x86_64)
    unsafeBitCast(
      samSumPairProducts(
        unsafeBitCast(a, to: SIMD2<Int64>.self), unsafeBitCast(b, to: SIMD2<Int64>.self)),
      to: SIMD4<Int32>.self)
  #else
    wide(a.evenHalf) &* wide(b.evenHalf) &+ wide(a.oddHalf) &* wide(b.oddHalf)
  #endif
}

#if !arch(x86_64)
  @inline(__always)
  private func wide(_ vector: SIMD4<Int16>) -> SIMD4<Int32> {
    SIMD4(Int32(vector.x), Int32(vector.y), Int32(vector.z), Int32(vector.w))
  }
#endif

/// Eight bytes of each of two lines, interleaved and widened: the first four pairs, the last four.
@inline(__always)
func interleavedPairs(_ a: SIMD8<UInt8>, _ b: SIMD8<UInt8>) -> (SIMD8<Int16>, SIMD8<Int16>) {
  (
    SIMD8(
      Int16(a[0]), Int16(b[0]), Int16(a[1]), Int16(b[1]), Int16(a[2]), Int16(b[2]), Int16(a[3]),
      Int16(b[3])),
    SIMD8(
      Int16(a[4]), Int16(b[4]), Int16(a[5]), Int16(b[5]), Int16(a[6]), Int16(b[6]), Int16(a[7]),
      Int16(b[7]))
  )
}
