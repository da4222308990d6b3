/// One tensor of a checkpoint: its shape, type and (lazily read) row-major values.
package struct CheckpointTensor: Sendable {
  package let name: String
  package let shape: [Int]
  package let type: ElementType
  private let source: Source

  /// Where the values lie; ranges are checked against the file before a tensor is made.
  private enum Source {
    case file(MappedFile, Range<Int>)
    case view(MappedFile, StridedView)
    case memory([UInt8])
  }

  /// A tensor whose values lie in one piece in a file.
  init(name: String, shape: [Int], type: ElementType, file: MappedFile, range: Range<Int>) {
    assert(range.upperBound <= file.bytes.count && type.byteCount(shape: shape) == range.count)
    self.name = name
    self.shape = shape
    self.type = type
    source = .file(file, range)
  }

  /// A tensor whose values lie spread over a part of a file.
  init(name: String, type: ElementType, file: MappedFile, view: StridedView) {
    self.name = name
    shape = view.shape
    self.type = type
    source = .view(file, view)
  }

  /// A tensor in memory; `bytes` are its row-major elements, little-endian.
  package init(name: String, shape: [Int], type: ElementType, bytes: [UInt8]) {
    precondition(
      type.byteCount(shape: shape) == bytes.count,
      "\(name): \(bytes.count) bytes for shape \(shape) of \(type.rawValue)")
    self.name = name
    self.shape = shape
    self.type = type
    source = .memory(bytes)
  }

  /// A tensor of floats in memory, row-major.
  package init(name: String, shape: [Int], floats: [Float]) {
    self.init(
      name: name, shape: shape, type: .float32,
      bytes: floats.withUnsafeBytes { [UInt8]($0) })
  }

  /// Number of elements.
  package var count: Int { shape.reduce(1, *) }

  /// Calls `body` with the row-major bytes, little-endian, `type.width · count` of them, not always aligned.
  ///
  /// No copy is made unless the elements lie spread in the file.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch source {
    case .file(let file, let range):
      defer { extendLifetime(file) }
      return try body(UnsafeRawBufferPointer(rebasing: file.bytes[range]))
    case .view(let file, let view):
      defer { extendLifetime(file) }
      let gathered = view.gathered(from: file.bytes, width: type.width)
      return try gathered.withUnsafeBufferPointer { buffer throws(Failure) in
        try body(UnsafeRawBufferPointer(buffer))
      }
    case .memory(let bytes):
      return try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
        try body(UnsafeRawBufferPointer(buffer))
      }
    }
  }

  /// The values as floats (F32, F16 and BF16 exactly; I64 rounded).
  package func floats() -> [Float] {
    let count = count
    return withBytes { bytes in
      [Float](unsafeUninitializedCapacity: count) { output, initialized in
        if let target = output.baseAddress, let source = bytes.baseAddress {
          ElementConversion.widen(source, type: type, count: count, into: target)
        }
        initialized = count
      }
    }
  }
}
