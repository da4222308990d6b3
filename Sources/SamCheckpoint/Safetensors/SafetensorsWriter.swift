#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SamFiles

/// Writes safetensors files.
///
/// The same tensors and text give the same bytes: wide types first and then by name, as the format's
/// own library orders them, so that every tensor is aligned to its element; text by key; the data
/// begins at a multiple of 64 bytes.
package enum SafetensorsWriter {
  /// Writes tensors to a file, which appears under its name when it is complete.
  ///
  /// Memory: one tensor at a time where it must be gathered or converted, else none.
  ///
  /// - Parameters:
  ///   - tensors: In any order; their names must differ.
  ///   - metadata: Free text for the header.
  ///   - url: A file that is replaced, or made.
  ///   - type: What the floating-point tensors are converted to; nil leaves them bit for bit.
  ///     Integers are never converted.
  /// - Throws: ``CheckpointError/unwritable(file:reason:)``,
  ///   ``CheckpointError/valueOutOfRange(tensor:value:type:)``,
  ///   ``CheckpointError/duplicateKey(file:key:)``.
  package static func write(
    _ tensors: [CheckpointTensor], metadata: [String: String] = [:], to url: URL,
    as type: ElementType? = nil
  ) throws(CheckpointError) {
    let target = { (tensor: CheckpointTensor) in
      tensor.type.isFloat ? type ?? tensor.type : tensor.type
    }
    let ordered = tensors.sorted {
      let widths = (target($0).width, target($1).width)
      return widths.0 == widths.1 ? $0.name < $1.name : widths.0 > widths.1
    }
    let header = try header(ordered, types: ordered.map(target), metadata: metadata, file: url.path)
    let file = try naming(url) { () throws(FileFault) in
      try ReplacementFile(path: url.path, others: .refused)
    }
    let put = { (bytes: UnsafeRawBufferPointer) throws(CheckpointError) in
      try naming(url) { () throws(FileFault) in try file.write(bytes) }
    }
    try withBytes(of: header, put)
    for tensor in ordered { try write(tensor, as: target(tensor), put) }
    try naming(url) { () throws(FileFault) in try file.finish() }
  }

  private static func withBytes<Element: BitwiseCopyable>(
    of elements: [Element], _ put: (UnsafeRawBufferPointer) throws(CheckpointError) -> Void
  ) throws(CheckpointError) {
    try elements.withUnsafeBufferPointer { elements throws(CheckpointError) in
      try put(UnsafeRawBufferPointer(elements))
    }
  }

  /// Does something with the file; a fault gets its name.
  private static func naming<Result>(
    _ url: URL, _ body: () throws(FileFault) -> Result
  ) throws(CheckpointError) -> Result {
    do {
      return try body()
    } catch {
      throw .unwritable(file: url.path, reason: error.reason)
    }
  }

  /// The header with its length before it and spaces up to a multiple of 64 bytes.
  private static func header(
    _ tensors: [CheckpointTensor], types: [ElementType], metadata: [String: String], file: String
  ) throws(CheckpointError) -> [UInt8] {
    var keys: Set<String> = ["__metadata__"]
    var json = [UInt8](repeating: 0, count: 8)
    json.append(UInt8(ascii: "{"))
    if !metadata.isEmpty {
      json.append(contentsOf: "\"__metadata__\":{".utf8)
      for (position, entry) in metadata.sorted(by: { $0.key < $1.key }).enumerated() {
        if position > 0 { json.append(UInt8(ascii: ",")) }
        append(string: entry.key, to: &json)
        json.append(UInt8(ascii: ":"))
        append(string: entry.value, to: &json)
      }
      json.append(UInt8(ascii: "}"))
    }
    var offset = 0
    for (tensor, type) in zip(tensors, types) {
      guard keys.insert(tensor.name).inserted else {
        throw .duplicateKey(file: file, key: tensor.name)
      }
      if json.count > 9 { json.append(UInt8(ascii: ",")) }
      append(string: tensor.name, to: &json)
      let end = offset + tensor.count * type.width
      let sides = tensor.shape.map { "\($0)" }.joined(separator: ",")
      json.append(
        contentsOf: """
          :{"dtype":"\(type.rawValue)","shape":[\(sides)],"data_offsets":[\(offset),\(end)]}
          """.utf8)
      offset = end
    }
    json.append(UInt8(ascii: "}"))
    while json.count % 64 != 0 { json.append(UInt8(ascii: " ")) }
    let length = UInt64(json.count - 8).littleEndian
    withUnsafeBytes(of: length) { json.replaceSubrange(0..<8, with: $0) }
    return json
  }

  private static func append(string: String, to json: inout [UInt8]) {
    json.append(UInt8(ascii: "\""))
    for unit in string.utf8 {
      switch unit {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        json.append(UInt8(ascii: "\\"))
        json.append(unit)
      case 0..<0x20:
        let digits = String(unit, radix: 16)
        json.append(contentsOf: "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8)
      default:
        json.append(unit)
      }
    }
    json.append(UInt8(ascii: "\""))
  }

  private static func write(
    _ tensor: CheckpointTensor, as type: ElementType,
    _ put: (UnsafeRawBufferPointer) throws(CheckpointError) -> Void
  ) throws(CheckpointError) {
    if type == tensor.type {
      return try tensor.withBytes(put)
    }
    let floats = tensor.floats()
    if type == .float32 {
      return try withBytes(of: floats, put)
    }
    var failed: Int?
    let narrow = [UInt16](unsafeUninitializedCapacity: floats.count) { output, initialized in
      if let target = output.baseAddress {
        failed = floats.withUnsafeBufferPointer {
          ElementConversion.narrow($0, to: type, into: target)
        }
      }
      initialized = floats.count
    }
    if let failed {
      throw .valueOutOfRange(tensor: tensor.name, value: floats[failed], type: type)
    }
    try withBytes(of: narrow, put)
  }
}
