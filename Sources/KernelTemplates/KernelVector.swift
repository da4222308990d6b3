#if hasFeature(BuiltinModule)
  import Builtin
#endif

/// The vector of floats that a kernel template is written for: `SIMD4`, `SIMD8` or `SIMD16<Float>`.
///
/// The generic members of `SIMD` work lane by lane in a loop, and it is left to the optimiser to find
/// the vector instruction again. In longer expressions it does not (the GELU for SSE2 came out with
/// 45 scalar instructions), so the conformances say the vector operation to the compiler itself.
/// Where the compiler has no `Builtin` module they fall back on the standard library's members.
public protocol KernelVector: SIMD, BitwiseCopyable where Scalar == Float {
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
  static func / (a: Self, b: Self) -> Self

  /// `a · b + c`, rounded once where the module's flags allow FMA and twice where they do not.
  static func multiplyAdd(_ a: Self, _ b: Self, _ c: Self) -> Self

  /// The number of each lane: 0, 1, 2 …
  static var laneNumbers: Self { get }

  /// The larger of each pair of lanes; NaN where `self` is.
  func raised(to lower: Self) -> Self

  /// The smaller of each pair of lanes; NaN where `self` is.
  func lowered(to upper: Self) -> Self

  /// The square root of each lane.
  ///
  /// Not the standard library's: that calls sqrtf where a lane is negative.
  func squareRoots() -> Self

  /// `self` where `selector` is above zero, `other` where it is not (or is NaN).
  func whereAboveZero(_ selector: Self, else other: Self) -> Self

  /// The float whose bits are those of `self` moved up into the exponent field.
  func bitsShiftedToExponent() -> Self

  /// Stores the low byte of each lane's bit pattern, `scalarCount` bytes.
  func storeLowBytes(to address: UnsafeMutablePointer<UInt8>)

  /// Stores the first half of the lanes.
  func storeFirstHalf(to address: UnsafeMutablePointer<Float>)

  /// `self` with the first half of the lanes from `address` on.
  func loadingFirstHalf(from address: UnsafePointer<Float>) -> Self

  /// The sum of all lanes.
  func laneSum() -> Float

  /// The largest lane; which of NaN and number wins is not specified.
  func laneMaximum() -> Float
}

extension SIMD4: KernelVector where Scalar == Float {
  #if hasFeature(BuiltinModule)
    @_transparent
    @usableFromInline init(raw: Builtin.Vec4xFPIEEE32) { self = unsafeBitCast(raw, to: Self.self) }

    @_transparent
    @usableFromInline var raw: Builtin.Vec4xFPIEEE32 {
      unsafeBitCast(self, to: Builtin.Vec4xFPIEEE32.self)
    }
  #endif

  /// `a + b` in every lane.
  @_transparent
  public static func + (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fadd_Vec4xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<4 { result[i] += b[i] }
      return result
    #endif
  }

  /// `a - b` in every lane.
  @_transparent
  public static func - (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fsub_Vec4xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<4 { result[i] -= b[i] }
      return result
    #endif
  }

  /// `a * b` in every lane.
  @_transparent
  public static func * (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fmul_Vec4xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<4 { result[i] *= b[i] }
      return result
    #endif
  }

  /// `a / b` in every lane.
  @_transparent
  public static func / (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fdiv_Vec4xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<4 { result[i] /= b[i] }
      return result
    #endif
  }

  /// `a · b + c` in every lane.
  @_transparent
  public static func multiplyAdd(_ a: Self, _ b: Self, _ c: Self) -> Self {
    #if arch(x86_64)
      a * b + c  // SSE2 has no FMA instruction; `addingProduct` would call fmaf for each lane.
    #elseif hasFeature(BuiltinModule)
      Self(raw: Builtin.int_fma_Vec4xFPIEEE32(a.raw, b.raw, c.raw))
    #else
      c.addingProduct(a, b)
    #endif
  }

  /// 0 to 3.
  @_transparent
  public static var laneNumbers: Self {
    Self(0, 1, 2, 3)
  }

  /// The larger of each pair of lanes.
  @_transparent
  public func raised(to lower: Self) -> Self { replacing(with: lower, where: lower .> self) }

  /// The smaller of each pair of lanes.
  @_transparent
  public func lowered(to upper: Self) -> Self { replacing(with: upper, where: upper .< self) }

  /// The square root of each lane.
  @_transparent
  public func squareRoots() -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.int_sqrt_Vec4xFPIEEE32(raw))
    #else
      squareRoot()
    #endif
  }

  /// Lanes of `self` and `other`, chosen by the sign of `selector`.
  @_transparent
  public func whereAboveZero(_ selector: Self, else other: Self) -> Self {
    other.replacing(with: self, where: selector .> Self(repeating: 0))
  }

  /// The bits of each lane, 23 places up.
  @_transparent
  public func bitsShiftedToExponent() -> Self {
    unsafeBitCast(
      unsafeBitCast(self, to: SIMD4<UInt32>.self) &<< SIMD4<UInt32>(repeating: 23), to: Self.self)
  }

  /// Stores 4 bytes.
  @_transparent
  public func storeLowBytes(to address: UnsafeMutablePointer<UInt8>) {
    #if hasFeature(BuiltinModule)
      let bytes = unsafeBitCast(
        Builtin.trunc_Vec4xInt32_Vec4xInt8(
          unsafeBitCast(self, to: Builtin.Vec4xInt32.self)), to: SIMD4<UInt8>.self)
    #else
      let bytes = SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(self, to: SIMD4<UInt32>.self))
    #endif
    UnsafeMutableRawPointer(address).storeBytes(of: bytes, as: SIMD4<UInt8>.self)
  }

  /// Stores 2 lanes.
  @_transparent
  public func storeFirstHalf(to address: UnsafeMutablePointer<Float>) {
    #if hasFeature(BuiltinModule)
      Builtin.storeRaw(lowHalf, address._rawValue)
    #else
      UnsafeMutableRawPointer(address).storeBytes(of: lowHalf, as: SIMD2<Float>.self)
    #endif
  }

  /// `self` with 2 lanes from `address` on.
  @_transparent
  public func loadingFirstHalf(from address: UnsafePointer<Float>) -> Self {
    #if hasFeature(BuiltinModule)
      let half: SIMD2<Float> = Builtin.loadRaw(address._rawValue)
    #else
      let half = UnsafeRawPointer(address).loadUnaligned(as: SIMD2<Float>.self)
    #endif
    return Self(lowHalf: half, highHalf: highHalf)
  }

  /// The sum of the 4 lanes.
  @_transparent
  public func laneSum() -> Float { (x + z) + (y + w) }

  /// The largest of the 4 lanes.
  @_transparent
  public func laneMaximum() -> Float {
    let a = x > z ? x : z
    let b = y > w ? y : w
    return a > b ? a : b
  }
}

extension SIMD8: KernelVector where Scalar == Float {
  #if hasFeature(BuiltinModule)
    @_transparent
    @usableFromInline init(raw: Builtin.Vec8xFPIEEE32) { self = unsafeBitCast(raw, to: Self.self) }

    @_transparent
    @usableFromInline var raw: Builtin.Vec8xFPIEEE32 {
      unsafeBitCast(self, to: Builtin.Vec8xFPIEEE32.self)
    }
  #endif

  /// `a + b` in every lane.
  @_transparent
  public static func + (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fadd_Vec8xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<8 { result[i] += b[i] }
      return result
    #endif
  }

  /// `a - b` in every lane.
  @_transparent
  public static func - (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fsub_Vec8xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<8 { result[i] -= b[i] }
      return result
    #endif
  }

  /// `a * b` in every lane.
  @_transparent
  public static func * (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fmul_Vec8xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<8 { result[i] *= b[i] }
      return result
    #endif
  }

  /// `a / b` in every lane.
  @_transparent
  public static func / (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fdiv_Vec8xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<8 { result[i] /= b[i] }
      return result
    #endif
  }

  /// `a · b + c` in every lane.
  @_transparent
  public static func multiplyAdd(_ a: Self, _ b: Self, _ c: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.int_fma_Vec8xFPIEEE32(a.raw, b.raw, c.raw))
    #else
      c.addingProduct(a, b)
    #endif
  }

  /// 0 to 7.
  @_transparent
  public static var laneNumbers: Self {
    Self(0, 1, 2, 3, 4, 5, 6, 7)
  }

  /// The larger of each pair of lanes.
  @_transparent
  public func raised(to lower: Self) -> Self { replacing(with: lower, where: lower .> self) }

  /// The smaller of each pair of lanes.
  @_transparent
  public func lowered(to upper: Self) -> Self { replacing(with: upper, where: upper .< self) }

  /// The square root of each lane.
  @_transparent
  public func squareRoots() -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.int_sqrt_Vec8xFPIEEE32(raw))
    #else
      squareRoot()
    #endif
  }

  /// Lanes of `self` and `other`, chosen by the sign of `selector`.
  @_transparent
  public func whereAboveZero(_ selector: Self, else other: Self) -> Self {
    other.replacing(with: self, where: selector .> Self(repeating: 0))
  }

  /// The bits of each lane, 23 places up.
  @_transparent
  public func bitsShiftedToExponent() -> Self {
    unsafeBitCast(
      unsafeBitCast(self, to: SIMD8<UInt32>.self) &<< SIMD8<UInt32>(repeating: 23), to: Self.self)
  }

  /// Stores 8 bytes.
  @_transparent
  public func storeLowBytes(to address: UnsafeMutablePointer<UInt8>) {
    #if hasFeature(BuiltinModule)
      let bytes = unsafeBitCast(
        Builtin.trunc_Vec8xInt32_Vec8xInt8(
          unsafeBitCast(self, to: Builtin.Vec8xInt32.self)), to: SIMD8<UInt8>.self)
    #else
      let bytes = SIMD8<UInt8>(truncatingIfNeeded: unsafeBitCast(self, to: SIMD8<UInt32>.self))
    #endif
    UnsafeMutableRawPointer(address).storeBytes(of: bytes, as: SIMD8<UInt8>.self)
  }

  /// Stores 4 lanes.
  @_transparent
  public func storeFirstHalf(to address: UnsafeMutablePointer<Float>) {
    #if hasFeature(BuiltinModule)
      Builtin.storeRaw(lowHalf, address._rawValue)
    #else
      UnsafeMutableRawPointer(address).storeBytes(of: lowHalf, as: SIMD4<Float>.self)
    #endif
  }

  /// `self` with 4 lanes from `address` on.
  @_transparent
  public func loadingFirstHalf(from address: UnsafePointer<Float>) -> Self {
    #if hasFeature(BuiltinModule)
      let half: SIMD4<Float> = Builtin.loadRaw(address._rawValue)
    #else
      let half = UnsafeRawPointer(address).loadUnaligned(as: SIMD4<Float>.self)
    #endif
    return Self(lowHalf: half, highHalf: highHalf)
  }

  /// The sum of the 8 lanes.
  @_transparent
  public func laneSum() -> Float { (lowHalf + highHalf).laneSum() }

  /// The largest of the 8 lanes.
  @_transparent
  public func laneMaximum() -> Float { lowHalf.raised(to: highHalf).laneMaximum() }
}

extension SIMD16: KernelVector where Scalar == Float {
  #if hasFeature(BuiltinModule)
    @_transparent
    @usableFromInline init(raw: Builtin.Vec16xFPIEEE32) { self = unsafeBitCast(raw, to: Self.self) }

    @_transparent
    @usableFromInline var raw: Builtin.Vec16xFPIEEE32 {
      unsafeBitCast(self, to: Builtin.Vec16xFPIEEE32.self)
    }
  #endif

  /// `a + b` in every lane.
  @_transparent
  public static func + (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fadd_Vec16xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<16 { result[i] += b[i] }
      return result
    #endif
  }

  /// `a - b` in every lane.
  @_transparent
  public static func - (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fsub_Vec16xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<16 { result[i] -= b[i] }
      return result
    #endif
  }

  /// `a * b` in every lane.
  @_transparent
  public static func * (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fmul_Vec16xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<16 { result[i] *= b[i] }
      return result
    #endif
  }

  /// `a / b` in every lane.
  @_transparent
  public static func / (a: Self, b: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.fdiv_Vec16xFPIEEE32(a.raw, b.raw))
    #else
      var result = a
      for i in 0..<16 { result[i] /= b[i] }
      return result
    #endif
  }

  /// `a · b + c` in every lane.
  @_transparent
  public static func multiplyAdd(_ a: Self, _ b: Self, _ c: Self) -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.int_fma_Vec16xFPIEEE32(a.raw, b.raw, c.raw))
    #else
      c.addingProduct(a, b)
    #endif
  }

  /// 0 to 15.
  @_transparent
  public static var laneNumbers: Self {
    Self(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  }

  /// The larger of each pair of lanes.
  @_transparent
  public func raised(to lower: Self) -> Self { replacing(with: lower, where: lower .> self) }

  /// The smaller of each pair of lanes.
  @_transparent
  public func lowered(to upper: Self) -> Self { replacing(with: upper, where: upper .< self) }

  /// The square root of each lane.
  @_transparent
  public func squareRoots() -> Self {
    #if hasFeature(BuiltinModule)
      Self(raw: Builtin.int_sqrt_Vec16xFPIEEE32(raw))
    #else
      squareRoot()
    #endif
  }

  /// Lanes of `self` and `other`, chosen by the sign of `selector`.
  @_transparent
  public func whereAboveZero(_ selector: Self, else other: Self) -> Self {
    other.replacing(with: self, where: selector .> Self(repeating: 0))
  }

  /// The bits of each lane, 23 places up.
  @_transparent
  public func bitsShiftedToExponent() -> Self {
    unsafeBitCast(
      unsafeBitCast(self, to: SIMD16<UInt32>.self) &<< SIMD16<UInt32>(repeating: 23), to: Self.self)
  }

  /// Stores 16 bytes.
  @_transparent
  public func storeLowBytes(to address: UnsafeMutablePointer<UInt8>) {
    #if hasFeature(BuiltinModule)
      let bytes = unsafeBitCast(
        Builtin.trunc_Vec16xInt32_Vec16xInt8(
          unsafeBitCast(self, to: Builtin.Vec16xInt32.self)), to: SIMD16<UInt8>.self)
    #else
      let bytes = SIMD16<UInt8>(truncatingIfNeeded: unsafeBitCast(self, to: SIMD16<UInt32>.self))
    #endif
    UnsafeMutableRawPointer(address).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
  }

  /// Stores 8 lanes.
  @_transparent
  public func storeFirstHalf(to address: UnsafeMutablePointer<Float>) {
    #if hasFeature(BuiltinModule)
      Builtin.storeRaw(lowHalf, address._rawValue)
    #else
      UnsafeMutableRawPointer(address).storeBytes(of: lowHalf, as: SIMD8<Float>.self)
    #endif
  }

  /// `self` with 8 lanes from `address` on.
  @_transparent
  public func loadingFirstHalf(from address: UnsafePointer<Float>) -> Self {
    #if hasFeature(BuiltinModule)
      let half: SIMD8<Float> = Builtin.loadRaw(address._rawValue)
    #else
      let half = UnsafeRawPointer(address).loadUnaligned(as: SIMD8<Float>.self)
    #endif
    return Self(lowHalf: half, highHalf: highHalf)
  }

  /// The sum of the 16 lanes.
  @_transparent
  public func laneSum() -> Float { (lowHalf + highHalf).laneSum() }

  /// The largest of the 16 lanes.
  @_transparent
  public func laneMaximum() -> Float { lowHalf.raised(to: highHalf).laneMaximum() }
}
