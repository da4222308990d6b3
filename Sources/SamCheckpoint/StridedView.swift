/// A tensor laid over a piece of a file with steps of its own, as PyTorch stores slices and transposes.
struct StridedView: Sendable, Equatable {
  /// Length of each side.
  let shape: [Int]
  /// Elements from one index to the next, side by side; never negative.
  let strides: [Int]
  /// The bytes of the file that the first to the last element span.
  let range: Range<Int>

  /// Places a tensor in the storage that fills `storage`, a range of bytes of the file.
  ///
  /// - Returns: nil where a side or stride is negative, a number overflows, or an element would lie
  ///   outside the storage.
  init?(shape: [Int], strides: [Int], offset: Int, width: Int, storage: Range<Int>) {
    guard shape.count == strides.count, offset >= 0 else { return nil }
    var last = offset
    var isEmpty = false
    for (side, stride) in zip(shape, strides) {
      guard side >= 0, stride >= 0 else { return nil }
      if side == 0 { isEmpty = true }
      let (reach, reachOverflow) = max(0, side - 1).multipliedReportingOverflow(by: stride)
      let (sum, sumOverflow) = last.addingReportingOverflow(reach)
      guard !reachOverflow, !sumOverflow else { return nil }
      last = sum
    }
    self.shape = shape
    self.strides = strides
    if isEmpty {
      range = storage.lowerBound..<storage.lowerBound
      return
    }
    // offset ≤ last, so both products and the last byte fit where this does.
    guard last < storage.count / width else { return nil }
    range = storage.lowerBound + offset * width..<storage.lowerBound + (last + 1) * width
  }

  /// Whether the elements lie one behind the other in row-major order.
  var isContiguous: Bool {
    var expected = 1
    for (side, stride) in zip(shape, strides).reversed() where side != 1 {
      if side == 0 { return true }
      if stride != expected { return false }
      expected *= side
    }
    return true
  }

  /// The elements in row-major order, each of `width` bytes; one copy of the tensor.
  func gathered(from bytes: UnsafeRawBufferPointer, width: Int) -> [UInt8] {
    let count = shape.reduce(width, *)
    return [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
      defer { initialized = count }
      guard count > 0, let source = bytes.baseAddress, let target = output.baseAddress else {
        return
      }
      var next = UnsafeMutableRawPointer(target)
      var index = [Int](repeating: 0, count: shape.count)
      var element = 0
      let rowLength = shape.last ?? 1
      let rowStride = strides.last ?? 1
      while true {
        var position = source + range.lowerBound + element * width
        if rowStride == 1 {
          next.copyMemory(from: position, byteCount: rowLength * width)
          next += rowLength * width
        } else {
          for _ in 0..<rowLength {
            next.copyMemory(from: position, byteCount: width)
            next += width
            position += rowStride * width
          }
        }
        var side = shape.count - 2
        while side >= 0 {
          index[side] += 1
          element += strides[side]
          if index[side] < shape[side] { break }
          element -= strides[side] * shape[side]
          index[side] = 0
          side -= 1
        }
        if side < 0 { return }
      }
    }
  }
}
