/// The tensors in a pickle's value, under names joined by dots.
struct StateDict {
  /// Names and descriptions, in the order of the pickle.
  private(set) var tensors: [(name: String, tensor: PickleTensor)] = []
  /// The texts, numbers and truth values beside them, as text.
  private(set) var notes: [String: String] = [:]

  private let machine: PickleMachine
  private let file: String
  private var budget: Int

  /// The deepest nesting that is followed; it also ends a dict that holds itself.
  private static let depthLimit = 16

  /// The keys under which training scripts keep the state dict, the likelier first.
  private static let wrappers = ["state_dict", "model_state_dict", "model"]

  /// Finds the tensors in `root`: those of the dict under `state_dict` or `model` where there is
  /// one, else all.
  ///
  /// `budget` is how many values may be looked at: sharing can make a small pickle stand for a tree
  /// of any size.
  init(file: String, machine: PickleMachine, root: PickleValue, budget: Int)
    throws(CheckpointError)
  {
    self.file = file
    self.machine = machine
    self.budget = budget
    guard case .dictionary(let index) = root else {
      throw .badPickle(file: file, offset: 0, reason: "it stands for something other than a dict")
    }
    let entries = machine.dictionaries[index]
    for wrapper in Self.wrappers {
      for case (.string(wrapper), let inner) in entries {
        guard case .dictionary = inner else { continue }
        try visit(inner, name: "", depth: 1)
        if tensors.isEmpty { continue }
        for (key, value) in entries {
          if case .string(let name) = key { note(value, name: name) }
        }
        return
      }
    }
    try visit(root, name: "", depth: 0)
  }

  private mutating func visit(
    _ value: PickleValue, name: String, depth: Int
  ) throws(CheckpointError) {
    guard depth <= Self.depthLimit else {
      throw .badTensor(
        file: file, tensor: name, reason: "lies in more than \(Self.depthLimit) dicts or lists")
    }
    budget -= 1 + name.utf8.count / 16
    guard budget >= 0 else {
      throw .badTensor(
        file: file, tensor: name, reason: "the pickle stands for far more values than it holds")
    }
    switch value {
    case .tensor(let index):
      tensors.append((name, machine.tensors[index]))
    case .dictionary(let index):
      for (key, value) in machine.dictionaries[index] {
        try visit(value, name: join(name, try text(key, in: name)), depth: depth + 1)
      }
    case .sequence(let index):
      for (position, value) in machine.sequences[index].enumerated() {
        try visit(value, name: join(name, "\(position)"), depth: depth + 1)
      }
    case .string, .int, .float, .bool:
      if depth == 1 { note(value, name: name) }
    case .none, .global, .storage:
      break
    }
  }

  private func join(_ prefix: String, _ name: String) -> String {
    prefix.isEmpty ? name : "\(prefix).\(name)"
  }

  private func text(_ key: PickleValue, in name: String) throws(CheckpointError) -> String {
    switch key {
    case .string(let text): return text
    case .int(let number): return "\(number)"
    default:
      throw .badTensor(file: file, tensor: name, reason: "its dict has a key that is not text")
    }
  }

  private mutating func note(_ value: PickleValue, name: String) {
    switch value {
    case .string(let text): notes[name] = text
    case .int(let number): notes[name] = "\(number)"
    case .float(let number): notes[name] = "\(number)"
    case .bool(let truth): notes[name] = "\(truth)"
    default: break
    }
  }
}
