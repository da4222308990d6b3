/// Loops between the float types; the compiler turns each into vector code.
///
/// Half precision is taken apart as integers: `Float16` does not exist on every platform, and where
/// the build may not assume the conversion instruction it is a function call for every element.
enum ElementConversion {
  /// Widens `count` little-endian elements to floats: float types exactly, integers rounded.
  static func widen(
    _ source: UnsafeRawPointer, type: ElementType, count: Int,
    into target: UnsafeMutablePointer<Float>
  ) {
    switch type {
    case .float32:
      UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: 4 * count)
    case .float16:
      for i in 0..<count {
        target[i] = Float(halfBits: source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self))
      }
    case .bfloat16:
      for i in 0..<count {
        let bits = source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
        target[i] = Float(bitPattern: UInt32(bits) << 16)
      }
    case .int64:
      for i in 0..<count {
        target[i] = Float(source.loadUnaligned(fromByteOffset: 8 &* i, as: Int64.self))
      }
    }
  }

  /// Narrows floats to `type`, a float type, to nearest, ties to even.
  ///
  /// - Returns: The index of the first finite value that became infinite, or nil.
  static func narrow(
    _ source: UnsafeBufferPointer<Float>, to type: ElementType, into target: UnsafeMutableRawPointer
  ) -> Int? {
    switch type {
    case .float16:
      var overflowed = false
      for i in 0..<source.count {
        let bits = source[i].halfBits
        target.storeBytes(of: bits, toByteOffset: 2 &* i, as: UInt16.self)
        overflowed = overflowed || (bits & 0x7FFF == 0x7C00 && source[i].isFinite)
      }
      return overflowed ? source.firstIndex { $0.isFinite && $0.halfBits & 0x7FFF == 0x7C00 } : nil
    case .bfloat16:
      var overflowed = false
      for i in 0..<source.count {
        let bits = source[i].bfloat16Bits
        target.storeBytes(of: bits, toByteOffset: 2 &* i, as: UInt16.self)
        overflowed = overflowed || (bits & 0x7FFF == 0x7F80 && source[i].isFinite)
      }
      return overflowed
        ? source.firstIndex { $0.isFinite && $0.bfloat16Bits & 0x7FFF == 0x7F80 } : nil
    case .float32, .int64:
      preconditionFailure("narrowing goes to a 16-bit float type")
    }
  }
}

extension Float {
  /// IEEE half precision bits, widened exactly.
  ///
  /// Shifted into place, the half's exponent is 112 too small for a float: one exact multiplication
  /// puts it right, for subnormals too. Infinity and NaN then get the float's own top exponent.
  @inline(__always)
  package init(halfBits bits: UInt16) {
    let sign = UInt32(bits & 0x8000) << 16
    let shifted = UInt32(bits & 0x7FFF) << 13
    let scaled = (Float(bitPattern: shifted) * 0x1p112).bitPattern
    let special: UInt32 = shifted >= 0x0F80_0000 ? 0x7F80_0000 : 0
    self.init(bitPattern: scaled | special | sign)
  }

  /// The nearest half precision number, ties to even; too large becomes infinite, NaN stays NaN.
  @inline(__always)
  package var halfBits: UInt16 {
    let sign = UInt16(truncatingIfNeeded: bitPattern >> 16) & 0x8000
    let magnitude = bitPattern & 0x7FFF_FFFF
    // From 2⁻¹⁴ on: re-bias the exponent and round away 13 bits of mantissa, ties to even.
    let rounded = (magnitude &- 0x3800_0000 &+ 0xFFF &+ (magnitude >> 13 & 1)) >> 13
    let normal: UInt32 = magnitude >= 0x477F_F000 ? 0x7C00 : rounded
    // Below: a half's subnormals step by 2⁻²⁴, the last bit of floats from 0.5 to 1.
    let small = (Float(bitPattern: magnitude) + 0.5).bitPattern &- 0x3F00_0000
    let number = magnitude < 0x3880_0000 ? small : normal
    let result: UInt32 = magnitude > 0x7F80_0000 ? (0x7E00 | magnitude >> 13 & 0x3FF) : number
    return sign | UInt16(truncatingIfNeeded: result)
  }

  /// The nearest bfloat16 number, ties to even; NaN stays NaN.
  @inline(__always)
  package var bfloat16Bits: UInt16 {
    let rounded = (bitPattern &+ 0x7FFF &+ (bitPattern >> 16 & 1)) >> 16
    let isNaN = bitPattern & 0x7FFF_FFFF > 0x7F80_0000
    return UInt16(truncatingIfNeeded: isNaN ? bitPattern >> 16 | 0x40 : rounded)
  }
}
