/// Finds tensors by name.
struct TensorIndex: Sendable {
  private let positions: [String: Int]

  /// Indexes tensors whose names all differ.
  init(_ tensors: [CheckpointTensor]) {
    positions = Dictionary(
      uniqueKeysWithValues: tensors.enumerated().map { ($0.element.name, $0.offset) })
  }

  /// The position of the tensor of that name, or nil.
  subscript(name: String) -> Int? { positions[name] }
}
