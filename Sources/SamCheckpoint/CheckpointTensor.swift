/// One tensor of a checkpoint: its shape, type and (lazily read) row-major values.
package struct CheckpointTensor: Sendable {
  package let name: String
  package let shape: [Int]
  package let type: ElementType
  /// The row-major bytes, little-endian, `type.width · product(shape)` of them, for the duration of the call.
  package let withBytes: @Sendable (_ body: (UnsafeRawBufferPointer) -> Void) -> Void

  package init(
    name: String, shape: [Int], type: ElementType,
    withBytes: @escaping @Sendable (_ body: (UnsafeRawBufferPointer) -> Void) ->
      Void
  ) {
    self.name = name
    self.shape = shape
    self.type = type
    self.withBytes = withBytes
  }

  /// Number of elements.
  package var count: Int { shape.reduce(1, *) }

  /// The values as floats (F32, F16 and BF16 exactly; I64 rounded).
  package func floats() -> [Float] {
    var values = [Float](repeating: 0, count: count)
    withBytes { bytes in
      values.withUnsafeMutableBufferPointer { output in
        switch type {
        case .float32:
          UnsafeMutableRawBufferPointer(output).copyMemory(from: bytes)
        case .float16:
          for i in 0..<output.count {
            let bits = bytes.loadUnaligned(fromByteOffset: 2 * i, as: UInt16.self)
            output[i] = Float(halfBits: bits)
          }
        case .bfloat16:
          for i in 0..<output.count {
            let bits = bytes.loadUnaligned(fromByteOffset: 2 * i, as: UInt16.self)
            output[i] = Float(bitPattern: UInt32(bits) << 16)
          }
        case .int64:
          for i in 0..<output.count {
            output[i] = Float(bytes.loadUnaligned(fromByteOffset: 8 * i, as: Int64.self))
          }
        }
      }
    }
    return values
  }
}

extension Float {
  /// IEEE half precision bits, widened exactly. (`Float16` does not exist on every platform.)
  package init(halfBits bits: UInt16) {
    let sign = UInt32(bits & 0x8000) << 16
    let exponent = UInt32(bits >> 10) & 0x1F
    let mantissa = UInt32(bits & 0x3FF)
    switch exponent {
    case 0:
      let magnitude = Float(mantissa) * 0x1p-24
      self = sign == 0 ? magnitude : -magnitude
    case 31:
      self.init(bitPattern: sign | 0x7F80_0000 | mantissa << 13)
    default:
      self.init(bitPattern: sign | (exponent + 112) << 23 | mantissa << 13)
    }
  }
}
