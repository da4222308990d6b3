#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A checkpoint as `torch.save` writes it, mapped into memory and read as data: nothing is executed.
///
/// Reads the zip format (PyTorch 1.6 and later) of a dict of tensors: a state dict, one inside a dict
/// under `state_dict` or `model`, or nested dicts and lists, whose names are joined by dots. Tensors
/// may be of F32, F16, BF16 and I64, share storage, and have strides of their own; a tensor that
/// is not row-major in the file is put in order when its values are asked for.
package struct PyTorchFile: Checkpoint {
  package let name: String
  /// Text, numbers and truth values that lie beside the tensors.
  package let metadata: [String: String]
  package let tensors: [CheckpointTensor]
  private let index: TensorIndex
  private let file: MappedFile
  private let archive: ZipArchive

  /// Opens and checks a file.
  ///
  /// - Throws: ``CheckpointError``, naming the file, the tensor, what was expected and what came.
  package init(url: URL) throws(CheckpointError) {
    try self.init(file: MappedFile(path: url.path))
  }

  init(file: MappedFile) throws(CheckpointError) {
    defer { extendLifetime(file) }
    let path = file.path
    guard ZipArchive.recognises(file.bytes) else {
      throw .unknownFormat(file: path, firstBytes: Array(file.bytes.prefix(8)))
    }
    let archive = try ZipArchive(file: path, bytes: file.bytes)
    let layout = try ArchiveLayout(file: path, bytes: file.bytes, archive: archive)
    // A tensor's values in the pickle take some 1.4 kB, less than its data; the constant is for
    // checkpoints of very small tensors.
    let budget = file.bytes.count + 2 << 20
    var machine = PickleMachine(
      file: path, bytes: file.bytes, range: layout.pickle, budget: budget)
    let root = try machine.run()
    let found = try StateDict(file: path, machine: machine, root: root, budget: budget / 256)
    tensors = try Self.place(
      found.tensors, storages: machine.storages, layout: layout, file: file)
    index = TensorIndex(tensors)
    metadata = found.notes
    name = path
    self.file = file
    self.archive = archive
  }

  package subscript(name: String) -> CheckpointTensor? {
    index[name].map { tensors[$0] }
  }

  /// The names of the archive's entries whose bytes do not have their checksum.
  ///
  /// Reads the whole file. PyTorch can be told to write no checksums; then every entry is named.
  package func damagedEntries() -> [String] {
    defer { extendLifetime(file) }
    return archive.entries.filter {
      CRC32.checksum(UnsafeRawBufferPointer(rebasing: file.bytes[$0.range])) != $0.checksum
    }.map(\.name)
  }

  /// Checks each tensor against its storage; in order of their names.
  private static func place(
    _ found: [(name: String, tensor: PickleTensor)], storages: [PickleStorage],
    layout: ArchiveLayout, file: MappedFile
  ) throws(CheckpointError) -> [CheckpointTensor] {
    var placed: [CheckpointTensor] = []
    placed.reserveCapacity(found.count)
    // Tensors may share storage; a file in which they add up to far more than it holds is a bomb.
    var left = 8 * file.bytes.count
    for (name, tensor) in found {
      let described = storages[tensor.storage]
      guard let type = described.type else {
        throw .unsupportedType(file: file.path, tensor: name, type: described.typeName)
      }
      guard let size = type.byteCount(shape: tensor.shape) else {
        throw .badShape(file: file.path, tensor: name, shape: tensor.shape)
      }
      guard size <= file.bytes.count, size <= left else {
        throw .tooLarge(
          file: file.path, what: "bytes of tensor \"\(name)\"", limit: file.bytes.count,
          actual: size)
      }
      left -= size
      let storage = try layout.storage(described, type: type, tensor: name)
      guard
        let view = StridedView(
          shape: tensor.shape, strides: tensor.strides, offset: tensor.offset, width: type.width,
          storage: storage)
      else {
        throw .badTensor(
          file: file.path, tensor: name,
          reason: "shape \(tensor.shape) with strides \(tensor.strides) from element "
            + "\(tensor.offset) on does not lie in its storage of \(described.count)")
      }
      placed.append(
        view.isContiguous
          ? CheckpointTensor(
            name: name, shape: tensor.shape, type: type, file: file, range: view.range)
          : CheckpointTensor(name: name, type: type, file: file, view: view))
    }
    placed.sort { $0.name < $1.name }
    for (before, after) in zip(placed, placed.dropFirst()) where before.name == after.name {
      throw .duplicateKey(file: file.path, key: after.name)
    }
    return placed
  }
}

/// What PyTorch puts where in its archive: `NAME/data.pkl`, `NAME/data/KEY`, `NAME/byteorder`.
private struct ArchiveLayout {
  let file: String
  let pickle: Range<Int>
  private var storages: [Substring: Range<Int>] = [:]

  init(file: String, bytes: UnsafeRawBufferPointer, archive: ZipArchive) throws(CheckpointError) {
    self.file = file
    let pickles = archive.entries.filter {
      $0.name.hasSuffix("/data.pkl") && $0.name.utf8.count { $0 == UInt8(ascii: "/") } == 1
    }
    guard let pickle = pickles.first, pickles.count == 1 else {
      throw .badArchive(
        file: file, entry: nil,
        reason: "it has \(pickles.count) entries called data.pkl, not one; torch.save writes one")
    }
    self.pickle = pickle.range
    let prefix = pickle.name.dropLast("data.pkl".count)
    for entry in archive.entries where entry.name.hasPrefix(prefix) {
      let rest = entry.name.dropFirst(prefix.count)
      if rest.hasPrefix("data/") {
        storages[rest.dropFirst("data/".count)] = entry.range
      } else if rest == "byteorder", !bytes[entry.range].elementsEqual("little".utf8) {
        throw .badArchive(file: file, entry: entry.name, reason: "says other than little-endian")
      }
    }
  }

  /// Where a storage's bytes lie.
  func storage(
    _ storage: PickleStorage, type: ElementType, tensor: String
  ) throws(CheckpointError) -> Range<Int> {
    guard let range = storages[storage.key[...]] else {
      throw .badTensor(
        file: file, tensor: tensor, reason: "its storage \"\(storage.key)\" is not in the archive")
    }
    guard let size = type.byteCount(shape: [storage.count]), size <= range.count else {
      throw .badTensor(
        file: file, tensor: tensor,
        reason: "its storage \"\(storage.key)\" has \(range.count) bytes, too few for "
          + "\(storage.count) of \(type.rawValue)")
    }
    return range.lowerBound..<range.lowerBound + size
  }
}
