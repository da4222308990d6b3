/// The vector of floats that a kernel template is written for: `SIMD4`, `SIMD8` or `SIMD16<Float>`.
///
/// The generic members of `SIMD` compare and shift lane by lane in a loop, which the optimiser does
/// not always turn back into one instruction. The requirements here reach the concrete members,
/// which are instructions.
public protocol KernelVector: SIMD where Scalar == Float {
  /// `a · b + c`, rounded once where the module's flags allow FMA and twice where they do not.
  static func multiplyAdd(_ a: Self, _ b: Self, _ c: Self) -> Self

  /// The larger of each pair of lanes; NaN where `self` is.
  func raised(to lower: Self) -> Self

  /// The smaller of each pair of lanes; NaN where `self` is.
  func lowered(to upper: Self) -> Self

  /// `self` where `selector` is above zero, `other` where it is not (or is NaN).
  func whereAboveZero(_ selector: Self, else other: Self) -> Self

  /// The float whose bits are those of `self` moved up into the exponent field.
  func bitsShiftedToExponent() -> Self

  /// Stores the low byte of each lane's bit pattern, `scalarCount` bytes.
  func storeLowBytes(to address: UnsafeMutablePointer<UInt8>)

  /// The sum of all lanes.
  func laneSum() -> Float

  /// The largest lane; which of NaN and number wins is not specified.
  func laneMaximum() -> Float
}

extension SIMD4: KernelVector where Scalar == Float {
  @inlinable @inline(__always)
  public static func multiplyAdd(_ a: Self, _ b: Self, _ c: Self) -> Self {
    #if arch(x86_64)
      // SSE2 has no FMA instruction; `addingProduct` would call fmaf for each lane.
      a * b + c
    #else
      c.addingProduct(a, b)
    #endif
  }

  @inlinable @inline(__always)
  public func raised(to lower: Self) -> Self { replacing(with: lower, where: lower .> self) }

  @inlinable @inline(__always)
  public func lowered(to upper: Self) -> Self { replacing(with: upper, where: upper .< self) }

  @inlinable @inline(__always)
  public func whereAboveZero(_ selector: Self, else other: Self) -> Self {
    other.replacing(with: self, where: selector .> Self.zero)
  }

  @inlinable @inline(__always)
  public func bitsShiftedToExponent() -> Self {
    unsafeBitCast(
      unsafeBitCast(self, to: SIMD4<UInt32>.self) &<< SIMD4<UInt32>(repeating: 23), to: Self.self)
  }

  @inlinable @inline(__always)
  public func storeLowBytes(to address: UnsafeMutablePointer<UInt8>) {
    let bytes = SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(self, to: SIMD4<UInt32>.self))
    UnsafeMutableRawPointer(address).storeBytes(of: bytes, as: SIMD4<UInt8>.self)
  }

  @inlinable @inline(__always)
  public func laneSum() -> Float { (x + z) + (y + w) }

  @inlinable @inline(__always)
  public func laneMaximum() -> Float {
    let a = x > z ? x : z
    let b = y > w ? y : w
    return a > b ? a : b
  }
}

extension SIMD8: KernelVector where Scalar == Float {
  @inlinable @inline(__always)
  public static func multiplyAdd(_ a: Self, _ b: Self, _ c: Self) -> Self { c.addingProduct(a, b) }

  @inlinable @inline(__always)
  public func raised(to lower: Self) -> Self { replacing(with: lower, where: lower .> self) }

  @inlinable @inline(__always)
  public func lowered(to upper: Self) -> Self { replacing(with: upper, where: upper .< self) }

  @inlinable @inline(__always)
  public func whereAboveZero(_ selector: Self, else other: Self) -> Self {
    other.replacing(with: self, where: selector .> Self.zero)
  }

  @inlinable @inline(__always)
  public func bitsShiftedToExponent() -> Self {
    unsafeBitCast(
      unsafeBitCast(self, to: SIMD8<UInt32>.self) &<< SIMD8<UInt32>(repeating: 23), to: Self.self)
  }

  @inlinable @inline(__always)
  public func storeLowBytes(to address: UnsafeMutablePointer<UInt8>) {
    let bytes = SIMD8<UInt8>(truncatingIfNeeded: unsafeBitCast(self, to: SIMD8<UInt32>.self))
    UnsafeMutableRawPointer(address).storeBytes(of: bytes, as: SIMD8<UInt8>.self)
  }

  @inlinable @inline(__always)
  public func laneSum() -> Float { (lowHalf + highHalf).laneSum() }

  @inlinable @inline(__always)
  public func laneMaximum() -> Float { lowHalf.raised(to: highHalf).laneMaximum() }
}

extension SIMD16: KernelVector where Scalar == Float {
  @inlinable @inline(__always)
  public static func multiplyAdd(_ a: Self, _ b: Self, _ c: Self) -> Self { c.addingProduct(a, b) }

  @inlinable @inline(__always)
  public func raised(to lower: Self) -> Self { replacing(with: lower, where: lower .> self) }

  @inlinable @inline(__always)
  public func lowered(to upper: Self) -> Self { replacing(with: upper, where: upper .< self) }

  @inlinable @inline(__always)
  public func whereAboveZero(_ selector: Self, else other: Self) -> Self {
    other.replacing(with: self, where: selector .> Self.zero)
  }

  @inlinable @inline(__always)
  public func bitsShiftedToExponent() -> Self {
    unsafeBitCast(
      unsafeBitCast(self, to: SIMD16<UInt32>.self) &<< SIMD16<UInt32>(repeating: 23), to: Self.self)
  }

  @inlinable @inline(__always)
  public func storeLowBytes(to address: UnsafeMutablePointer<UInt8>) {
    let bytes = SIMD16<UInt8>(truncatingIfNeeded: unsafeBitCast(self, to: SIMD16<UInt32>.self))
    UnsafeMutableRawPointer(address).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
  }

  @inlinable @inline(__always)
  public func laneSum() -> Float { (lowHalf + highHalf).laneSum() }

  @inlinable @inline(__always)
  public func laneMaximum() -> Float { lowHalf.raised(to: highHalf).laneMaximum() }
}
