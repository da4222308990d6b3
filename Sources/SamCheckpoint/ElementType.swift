/// The element types that a checkpoint may hold, under their names in a safetensors header.
package enum ElementType: String, Sendable, CaseIterable {
  case float32 = "F32"
  case float16 = "F16"
  case bfloat16 = "BF16"
  case int64 = "I64"

  /// Bytes of one element.
  package var width: Int {
    switch self {
    case .float32: 4
    case .float16, .bfloat16: 2
    case .int64: 8
    }
  }

  /// Whether the elements are floating-point numbers.
  package var isFloat: Bool { self != .int64 }

  /// The bytes that a tensor of that shape takes, or nil where a side is negative or the number overflows.
  func byteCount(shape: [Int]) -> Int? {
    var total = width
    for side in shape {
      guard side >= 0 else { return nil }
      let (product, overflow) = total.multipliedReportingOverflow(by: side)
      guard !overflow else { return nil }
      total = product
    }
    return total
  }
}
