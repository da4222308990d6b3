import SamCheckpoint
import Testing

struct ElementConversionTests {
  /// The value of half precision bits by the definition of the format.
  private func value(halfBits bits: UInt16) -> Double {
    let sign: Double = bits & 0x8000 == 0 ? 1 : -1
    let exponent = Int(bits >> 10 & 0x1F)
    let mantissa = Double(bits & 0x3FF)
    switch exponent {
    case 0: return sign * mantissa * 0x1p-24
    case 31: return mantissa == 0 ? sign * .infinity : .nan
    default:
      return sign * (1024 + mantissa) * Double(sign: .plus, exponent: exponent - 25, significand: 1)
    }
  }

  @Test func everyHalfWidensExactly() {
    for bits in UInt16.min ... .max {
      let expected = value(halfBits: bits)
      let actual = Float(halfBits: bits)
      if expected.isNaN {
        #expect(actual.isNaN)
      } else if Double(actual) != expected || (actual.sign == .minus) != (bits & 0x8000 != 0) {
        Issue.record("0x\(String(bits, radix: 16)): \(actual), not \(expected)")
      }
    }
  }

  @Test func everyHalfComesBack() {
    for bits in UInt16.min ... .max where bits & 0x7C00 != 0x7C00 || bits & 0x3FF == 0 {
      let actual = Float(halfBits: bits).halfBits
      if actual != bits { Issue.record("\(bits) came back as \(actual)") }
    }
    #expect(Float.nan.halfBits & 0x7C00 == 0x7C00 && Float.nan.halfBits & 0x3FF != 0)
  }

  @Test func floatsBetweenTwoHalvesGoToTheNearerAndTiesToTheEven() {
    for bits in UInt16(0)..<0x7BFF {
      let (low, high) = (value(halfBits: bits), value(halfBits: bits + 1))
      let middle = Float((low + high) / 2)
      let even = bits % 2 == 0 ? bits : bits + 1
      let results = [middle.nextDown.halfBits, middle.halfBits, middle.nextUp.halfBits]
      if results != [bits, even, bits + 1] { Issue.record("around \(middle): \(results)") }
      if (-middle).halfBits != even | 0x8000 { Issue.record("around \(-middle)") }
    }
  }

  @Test(
    arguments: [
      (65519.996, 0x7BFF), (65520, 0x7C00), (1e30, 0x7C00), (Float.infinity, 0x7C00),
      (-65520, 0xFC00), (0x1p-25, 0), (Float(0x1p-25).nextUp, 1), (-0.0, 0x8000),
      (Float.leastNonzeroMagnitude, 0),
    ] as [(Float, UInt16)])
  func halvesEndWhereTheFormatSays(number: Float, bits: UInt16) {
    #expect(number.halfBits == bits)
  }

  @Test func bfloat16RoundsTheLowerHalfAway() {
    for upper in stride(from: UInt32(0), to: 0x7F7F, by: 7) {
      let tie = upper << 16 | 0x8000
      let even = UInt16(upper % 2 == 0 ? upper : upper + 1)
      let results = [tie - 1, tie, tie + 1].map { Float(bitPattern: $0).bfloat16Bits }
      if results != [UInt16(upper), even, UInt16(upper + 1)] {
        Issue.record("around \(Float(bitPattern: tie)): \(results)")
      }
    }
    #expect(Float.infinity.bfloat16Bits == 0x7F80)
    #expect(Float.greatestFiniteMagnitude.bfloat16Bits == 0x7F80)
    #expect(Float.nan.bfloat16Bits & 0x7FFF > 0x7F80)
    #expect(Float(bitPattern: 0x7F80_0001).bfloat16Bits & 0x7FFF > 0x7F80)
  }

  @Test func integersBecomeTheNearestFloats() {
    let numbers: [Int64] = [0, 1, -1, .max, .min, 16_777_217]
    let bytes = numbers.flatMap { little($0) }
    let tensor = CheckpointTensor(name: "i", shape: [6], type: .int64, bytes: bytes)
    #expect(tensor.floats() == [0, 1, -1, 0x1p63, -0x1p63, 16_777_216])
  }
}
