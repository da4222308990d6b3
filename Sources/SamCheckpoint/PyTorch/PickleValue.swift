/// A value on the stack of ``PickleMachine``; containers are positions in the machine's tables.
///
/// Tables instead of references: a pickle can put a list into itself, which would never be freed.
enum PickleValue {
  case none
  case bool(Bool)
  case int(Int)
  case float(Double)
  case string(String)
  /// A tuple or a list; nothing that a state dict needs tells them apart.
  case sequence(Int)
  case dictionary(Int)
  case global(PickleGlobal)
  case storage(Int)
  case tensor(Int)
}

/// The globals that a state dict needs; the machine knows no others.
enum PickleGlobal: Equatable {
  case orderedDictionary
  case rebuildTensor
  case rebuildParameter
  case size
  case storage(ElementType)
  /// A storage of a type that is named in an error where a tensor uses it.
  case otherStorage(String)

  /// The global of that module and name, or nil.
  init?(module: String, name: String) {
    switch (module, name) {
    case ("collections", "OrderedDict"): self = .orderedDictionary
    case ("torch._utils", "_rebuild_tensor_v2"): self = .rebuildTensor
    case ("torch._utils", "_rebuild_parameter"): self = .rebuildParameter
    case ("torch", "Size"): self = .size
    case ("torch", "FloatStorage"): self = .storage(.float32)
    case ("torch", "HalfStorage"): self = .storage(.float16)
    case ("torch", "BFloat16Storage"): self = .storage(.bfloat16)
    case ("torch", "LongStorage"): self = .storage(.int64)
    case ("torch", "DoubleStorage"), ("torch", "IntStorage"), ("torch", "ShortStorage"),
      ("torch", "CharStorage"), ("torch", "ByteStorage"), ("torch", "BoolStorage"),
      ("torch", "ComplexFloatStorage"), ("torch", "ComplexDoubleStorage"):
      self = .otherStorage(name)
    default: return nil
    }
  }
}

/// The storage of one or more tensors: an entry of the archive.
struct PickleStorage {
  /// The entry's name below `data/`.
  let key: String
  /// nil where the type is not one that SamSwift reads.
  let type: ElementType?
  let typeName: String
  /// Elements, as the pickle says.
  let count: Int
}

/// A tensor as the pickle describes it, not yet checked against its storage.
struct PickleTensor {
  /// The position of its storage in the machine's table.
  let storage: Int
  /// Elements before the first.
  let offset: Int
  let shape: [Int]
  let strides: [Int]
}
