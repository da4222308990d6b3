/// What can be wrong with a weights file, or with writing one.
package enum CheckpointError: Error, Equatable, Sendable {
  /// The file cannot be opened or read.
  case unreadable(file: String, reason: String)
  /// The file is neither safetensors nor a PyTorch archive.
  case unknownFormat(file: String, firstBytes: [UInt8])
  /// The file is in PyTorch's format from before 1.6, which is not an archive.
  case oldPyTorchFormat(file: String)
  /// The file ends before something that it promises.
  case truncated(file: String, what: String, expected: Int, actual: Int)
  /// Something is larger than any real file needs.
  case tooLarge(file: String, what: String, limit: Int, actual: Int)
  /// The header of a safetensors file is not what the format says, at this byte of the file.
  case malformedHeader(file: String, offset: Int, expected: String)
  /// A name stands twice in the header.
  case duplicateKey(file: String, key: String)
  /// A tensor's element type is not one that SamSwift reads.
  case unsupportedType(file: String, tensor: String, type: String)
  /// A tensor's sides are negative or their product overflows.
  case badShape(file: String, tensor: String, shape: [Int])
  /// A tensor's bytes are not as many as its shape and type need.
  case wrongSize(file: String, tensor: String, expected: Int, actual: Int)
  /// A tensor's bytes lie outside the data.
  case outOfRange(file: String, tensor: String, begin: Int, end: Int, available: Int)
  /// A tensor does not begin where the one before it ends.
  case misplaced(file: String, tensor: String, expected: Int, actual: Int)
  /// Bytes follow the last tensor.
  case trailingBytes(file: String, expected: Int, actual: Int)
  /// The zip container of a PyTorch file is damaged or uses what PyTorch never writes.
  case badArchive(file: String, entry: String?, reason: String)
  /// The pickle of a PyTorch file is damaged or is more than a state dict needs.
  case badPickle(file: String, offset: Int, reason: String)
  /// The pickle names a function or class that no state dict needs; nothing of it was run.
  case refusedGlobal(file: String, offset: Int, global: String)
  /// A tensor of a PyTorch file does not fit its storage.
  case badTensor(file: String, tensor: String, reason: String)
  /// A finite value has no finite counterpart in the type asked for.
  case valueOutOfRange(tensor: String, value: Float, type: ElementType)
  /// The file cannot be written.
  case unwritable(file: String, reason: String)
}

extension CheckpointError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable(let file, let reason):
      "\(file): cannot be read: \(reason)"
    case .unknownFormat(let file, let firstBytes):
      "\(file): neither safetensors nor a PyTorch archive"
        + (firstBytes.isEmpty ? ": it is empty" : ": it begins with the bytes \(hex(firstBytes))")
    case .oldPyTorchFormat(let file):
      "\(file): written by PyTorch before 1.6 or in its format; loading and saving it with a newer "
        + "one makes an archive that SamSwift reads"
    case .truncated(let file, let what, let expected, let actual):
      "\(file): cut short: \(what) needs \(expected) bytes, \(actual) are there"
    case .tooLarge(let file, let what, let limit, let actual):
      "\(file): \(what): \(actual), more than the limit of \(limit)"
    case .malformedHeader(let file, let offset, let expected):
      "\(file): malformed header: expected \(expected) at byte \(offset)"
    case .duplicateKey(let file, let key):
      "\(file): \"\(key)\" stands twice in the header"
    case .unsupportedType(let file, let tensor, let type):
      "\(file): tensor \"\(tensor)\" has elements of type \(type); SamSwift reads "
        + ElementType.allCases.map(\.rawValue).joined(separator: ", ")
    case .badShape(let file, let tensor, let shape):
      "\(file): tensor \"\(tensor)\" has the impossible shape \(shape)"
    case .wrongSize(let file, let tensor, let expected, let actual):
      "\(file): tensor \"\(tensor)\" needs \(expected) bytes by its shape and type, but has \(actual)"
    case .outOfRange(let file, let tensor, let begin, let end, let available):
      "\(file): tensor \"\(tensor)\" lies at bytes \(begin) to \(end) of \(available)"
    case .misplaced(let file, let tensor, let expected, let actual):
      "\(file): tensor \"\(tensor)\" begins at byte \(actual) of the data, not at \(expected), "
        + (actual < expected ? "inside the one before it" : "which leaves a gap")
    case .trailingBytes(let file, let expected, let actual):
      "\(file): its tensors take \(expected) bytes of data, but \(actual) are there"
    case .badArchive(let file, let entry, let reason):
      "\(file): not an archive as PyTorch writes it: " + (entry.map { "\"\($0)\": " } ?? "")
        + reason
    case .badPickle(let file, let offset, let reason):
      "\(file): not a state dict: \(reason), at byte \(offset) of its pickle"
    case .refusedGlobal(let file, let offset, let global):
      "\(file): refused: its pickle calls for \(global), at byte \(offset), which no state dict needs; "
        + "nothing was run"
    case .badTensor(let file, let tensor, let reason):
      "\(file): tensor \"\(tensor)\": \(reason)"
    case .valueOutOfRange(let tensor, let value, let type):
      "tensor \"\(tensor)\" holds \(value), too large for \(type.rawValue)"
    case .unwritable(let file, let reason):
      "\(file): cannot be written: \(reason)"
    }
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: " ")
  }
}
