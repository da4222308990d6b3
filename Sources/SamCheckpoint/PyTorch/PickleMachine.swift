/// Runs the part of the pickle language that describes a state dict, as data.
///
/// Pickle is a program for a stack machine that can call any function by name. This machine has no
/// calls: of the globals it knows the handful in ``PickleGlobal``, and of the operations those that
/// PyTorch writes for dicts, lists, numbers, text and tensors. All else is an error with its name.
/// A pickle has no jumps, so it ends; what it makes is paid from a budget set by the file's size.
struct PickleMachine {
  private let file: String
  private var reader: ByteReader
  private let start: Int
  private var budget: Int
  private let fullBudget: Int
  private var stack: [PickleValue] = []
  private var marks: [Int] = []
  private var memo: [PickleValue?] = []

  /// Tuples and lists.
  private(set) var sequences: [[PickleValue]] = []
  /// Dicts, in order of insertion.
  private(set) var dictionaries: [[(key: PickleValue, value: PickleValue)]] = []
  private(set) var tensors: [PickleTensor] = []
  private(set) var storages: [PickleStorage] = []

  /// The deepest that values may lie on the stack; a batch of a dict takes 2000 places.
  private static let stackLimit = 65_536
  /// The most sides of a tensor.
  private static let rankLimit = 16
  /// The longest name of a global, in bytes.
  private static let nameLimit = 256

  /// Prepares to read the pickle in `range` of the file, whose values may take about `budget` bytes.
  init(file: String, bytes: UnsafeRawBufferPointer, range: Range<Int>, budget: Int) {
    self.file = file
    reader = ByteReader(bytes, range: range)
    start = range.lowerBound
    self.budget = budget
    fullBudget = budget
  }

  /// Runs to the end.
  ///
  /// - Returns: The value that the pickle stands for; its containers lie in the tables.
  mutating func run() throws(CheckpointError) -> PickleValue {
    while true {
      let code = try read(UInt8.self)
      guard let operation = PickleOperation(rawValue: code) else {
        throw failure(
          "it uses operation 0x\(String(code, radix: 16)), which a state dict does not need",
          back: 1)
      }
      if operation == .stop {
        let value = try pop()
        guard stack.isEmpty, marks.isEmpty else { throw failure("values are left over at its end") }
        return value
      }
      try perform(operation)
    }
  }

  private mutating func perform(_ operation: PickleOperation) throws(CheckpointError) {
    switch operation {
    case .stop: break
    case .proto: try readProtocol()
    case .frame: _ = try read(UInt64.self)
    case .mark: try pushMark()
    case .pop: _ = try pop()
    case .popMark: _ = try popToMark()

    case .none: try push(.none)
    case .newTrue: try push(.bool(true))
    case .newFalse: try push(.bool(false))
    case .int32: try push(.int(Int(try read(Int32.self))))
    case .int8: try push(.int(Int(try read(UInt8.self))))
    case .int16: try push(.int(Int(try read(UInt16.self))))
    case .long: try push(.int(try readLong()))
    case .float: try push(.float(Double(bitPattern: UInt64(bigEndian: try readRaw()))))
    case .text8: try pushText(length: UInt64(try read(UInt8.self)))
    case .text32: try pushText(length: UInt64(try read(UInt32.self)))
    case .text64: try pushText(length: try read(UInt64.self))

    case .emptyTuple, .emptyList: try pushSequence([])
    case .tuple1: try pushSequence(try pop(1))
    case .tuple2: try pushSequence(try pop(2))
    case .tuple3: try pushSequence(try pop(3))
    case .tuple: try pushSequence(try popToMark())
    case .append: try append([try pop()])
    case .appends: try append(try popToMark())
    case .emptyDictionary: try pushDictionary()
    case .setItem: try setItems(try pop(2))
    case .setItems: try setItems(try popToMark())

    case .put8: try put(Int(try read(UInt8.self)))
    case .put32: try put(Int(try read(UInt32.self)))
    case .memoize: try put(memo.count)
    case .get8: try get(Int(try read(UInt8.self)))
    case .get32: try get(Int(try read(UInt32.self)))

    case .global: try pushGlobal()
    case .stackGlobal: try pushStackGlobal()
    case .reduce: try reduce()
    case .build: try build()
    case .persistent: try pushStorage()
    }
  }

  // MARK: Reading

  /// The error that `reason` describes, at the byte `back` before the next.
  private func failure(_ reason: String, back: Int = 0) -> CheckpointError {
    .badPickle(file: file, offset: reader.position - start - back, reason: reason)
  }

  private mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws(CheckpointError) -> Number {
    guard let number = reader.integer(type) else { throw failure("it is cut short") }
    return number
  }

  private mutating func readRaw() throws(CheckpointError) -> UInt64 {
    UInt64(littleEndian: try read(UInt64.self))
  }

  private mutating func readProtocol() throws(CheckpointError) {
    let version = try read(UInt8.self)
    guard (2...5).contains(version) else {
      throw failure("its protocol is \(version), not one of 2 to 5", back: 1)
    }
  }

  /// A whole number of up to 8 bytes, two's complement.
  private mutating func readLong() throws(CheckpointError) -> Int {
    let length = Int(try read(UInt8.self))
    guard length <= 8 else { throw failure("it holds a number of \(length) bytes", back: 1) }
    guard let bytes = reader.take(length) else { throw failure("it is cut short") }
    var bits: UInt64 = bytes.last.map { $0 >= 0x80 } == true ? .max : 0
    for byte in bytes.reversed() { bits = bits << 8 | UInt64(byte) }
    return Int(Int64(bitPattern: bits))
  }

  // MARK: Stack and memo

  private mutating func spend(_ bytes: Int) throws(CheckpointError) {
    guard bytes <= budget else {
      throw .tooLarge(
        file: file, what: "memory for the values of its pickle, in bytes", limit: fullBudget,
        actual: fullBudget - budget + bytes)
    }
    budget -= bytes
  }

  private mutating func push(_ value: PickleValue) throws(CheckpointError) {
    guard stack.count < Self.stackLimit else {
      throw .tooLarge(
        file: file, what: "values on the stack of its pickle", limit: Self.stackLimit,
        actual: stack.count + 1)
    }
    // Paid once for each new height; a pop gives nothing back.
    if stack.count == stack.capacity {
      try spend(2 * stack.count * MemoryLayout<PickleValue>.stride)
    }
    stack.append(value)
  }

  private mutating func pushMark() throws(CheckpointError) {
    guard marks.count < 256 else { throw failure("its containers nest deeper than 256") }
    marks.append(stack.count)
  }

  private mutating func pop() throws(CheckpointError) -> PickleValue {
    guard stack.count > marks.last ?? 0, let value = stack.popLast() else {
      throw failure("an operation lacks its value", back: 1)
    }
    return value
  }

  private mutating func pop(_ count: Int) throws(CheckpointError) -> [PickleValue] {
    guard stack.count - (marks.last ?? 0) >= count else {
      throw failure("an operation lacks its values", back: 1)
    }
    let values = Array(stack.suffix(count))
    stack.removeLast(count)
    return values
  }

  private mutating func popToMark() throws(CheckpointError) -> [PickleValue] {
    guard let mark = marks.popLast() else { throw failure("an operation lacks its mark", back: 1) }
    let values = Array(stack[mark...])
    stack.removeSubrange(mark...)
    return values
  }

  private mutating func put(_ index: Int) throws(CheckpointError) {
    guard let value = stack.last else { throw failure("an operation lacks its value", back: 1) }
    if index >= memo.count {
      // Arrays grow by doubling.
      try spend(2 * (index + 1 - memo.count) * MemoryLayout<PickleValue?>.stride)
      memo.append(contentsOf: repeatElement(nil, count: index + 1 - memo.count))
    }
    memo[index] = value
  }

  private mutating func get(_ index: Int) throws(CheckpointError) {
    guard index < memo.count, let value = memo[index] else {
      throw failure("it recalls value \(index), which it never kept", back: 1)
    }
    try push(value)
  }

  // MARK: Text and containers

  private mutating func pushText(length: UInt64) throws(CheckpointError) {
    guard let length = Int(exactly: length), let bytes = reader.take(length) else {
      throw failure("a text of \(length) bytes is cut short")
    }
    // Up to 15 bytes travel in the value itself.
    if length > 15 { try spend(length + 32) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure("a text is not UTF-8", back: length)
    }
    try push(.string(text))
  }

  private mutating func pushSequence(_ values: [PickleValue]) throws(CheckpointError) {
    try spend(64 + values.count * MemoryLayout<PickleValue>.stride)
    sequences.append(values)
    try push(.sequence(sequences.count - 1))
  }

  private mutating func append(_ values: [PickleValue]) throws(CheckpointError) {
    guard stack.count > marks.last ?? 0, case .sequence(let index)? = stack.last else {
      throw failure("it appends to what is not a list", back: 1)
    }
    try spend(2 * values.count * MemoryLayout<PickleValue>.stride)
    sequences[index].append(contentsOf: values)
  }

  private mutating func pushDictionary() throws(CheckpointError) {
    try spend(64)
    dictionaries.append([])
    try push(.dictionary(dictionaries.count - 1))
  }

  private mutating func setItems(_ values: [PickleValue]) throws(CheckpointError) {
    guard stack.count > marks.last ?? 0, case .dictionary(let index)? = stack.last,
      values.count % 2 == 0
    else { throw failure("it sets items of what is not a dict", back: 1) }
    try spend(2 * values.count * MemoryLayout<PickleValue>.stride)
    for i in stride(from: 0, to: values.count, by: 2) {
      dictionaries[index].append((key: values[i], value: values[i + 1]))
    }
  }

  // MARK: Globals and what they make

  private mutating func pushGlobal() throws(CheckpointError) {
    let position = reader.position - 1
    guard let module = reader.line(limit: Self.nameLimit),
      let name = reader.line(limit: Self.nameLimit)
    else { throw failure("the name of a global is cut short or too long") }
    try pushGlobal(
      module: String(decoding: module, as: UTF8.self), name: String(decoding: name, as: UTF8.self),
      position: position)
  }

  private mutating func pushStackGlobal() throws(CheckpointError) {
    let names = try pop(2)
    guard case .string(let module) = names[0], case .string(let name) = names[1] else {
      throw failure("the name of a global is not text", back: 1)
    }
    try pushGlobal(module: module, name: name, position: reader.position - 1)
  }

  private mutating func pushGlobal(
    module: String, name: String, position: Int
  ) throws(CheckpointError) {
    guard let global = PickleGlobal(module: module, name: name) else {
      let full = "\(module).\(name)"
      throw .refusedGlobal(
        file: file, offset: position - start, global: String(full.prefix(2 * Self.nameLimit)))
    }
    try push(.global(global))
  }

  private mutating func reduce() throws(CheckpointError) {
    let values = try pop(2)
    guard case .global(let global) = values[0], case .sequence(let index) = values[1] else {
      throw failure("it calls what is not a function", back: 1)
    }
    let arguments = sequences[index]
    switch global {
    case .orderedDictionary:
      guard arguments.isEmpty else {
        throw failure("an OrderedDict is made with arguments", back: 1)
      }
      try pushDictionary()
    case .size:
      guard arguments.count == 1, case .sequence = arguments[0] else {
        throw failure("torch.Size is not given a tuple", back: 1)
      }
      try push(arguments[0])
    case .rebuildTensor:
      try pushTensor(arguments)
    case .rebuildParameter:
      guard let tensor = arguments.first, case .tensor = tensor else {
        throw failure("a parameter is made of what is not a tensor", back: 1)
      }
      try push(tensor)
    case .storage, .otherStorage:
      throw failure("it calls a storage", back: 1)
    }
  }

  /// `_rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks, …)`.
  private mutating func pushTensor(_ arguments: [PickleValue]) throws(CheckpointError) {
    guard arguments.count >= 4, case .storage(let storage) = arguments[0],
      case .int(let offset) = arguments[1], let shape = integers(arguments[2]),
      let strides = integers(arguments[3]), shape.count == strides.count
    else {
      throw failure("a tensor is not made of a storage, an offset, sides and strides", back: 1)
    }
    try spend(2 * MemoryLayout<PickleTensor>.stride + 64 + 16 * shape.count)
    tensors.append(
      PickleTensor(
        storage: storage, offset: offset, shape: shape, strides: strides))
    try push(.tensor(tensors.count - 1))
  }

  private func integers(_ value: PickleValue) -> [Int]? {
    guard case .sequence(let index) = value, sequences[index].count <= Self.rankLimit else {
      return nil
    }
    var numbers: [Int] = []
    for element in sequences[index] {
      guard case .int(let number) = element else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// The state of a dict: an OrderedDict's own attributes, such as a module's versions; not needed.
  private mutating func build() throws(CheckpointError) {
    _ = try pop()
    guard stack.count > marks.last ?? 0, case .dictionary? = stack.last else {
      throw failure("it sets the state of what is not a dict", back: 1)
    }
  }

  /// `('storage', type, key, device, elements)`.
  private mutating func pushStorage() throws(CheckpointError) {
    guard case .sequence(let index) = try pop(), sequences[index].count == 5,
      case .string("storage") = sequences[index][0], case .global(let kind) = sequences[index][1],
      case .string(let key) = sequences[index][2], case .int(let count) = sequences[index][4]
    else { throw failure("it refers to something other than a storage", back: 1) }
    let type: ElementType?
    let typeName: String
    switch kind {
    case .storage(let known): (type, typeName) = (known, known.rawValue)
    case .otherStorage(let name): (type, typeName) = (nil, name)
    default: throw failure("the type of a storage is something else", back: 1)
    }
    try spend(2 * MemoryLayout<PickleStorage>.stride)
    storages.append(PickleStorage(key: key, type: type, typeName: typeName, count: count))
    try push(.storage(storages.count - 1))
  }
}
