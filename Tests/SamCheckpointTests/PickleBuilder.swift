/// Writes pickles, operation by operation.
struct PickleBuilder {
  private(set) var bytes: [UInt8] = [0x80, 2]

  /// Appends operations and operands as they are.
  func raw(_ more: [UInt8]) -> Self {
    var copy = self
    copy.bytes += more
    return copy
  }

  func raw(_ text: String) -> Self { raw(Array(text.utf8)) }

  func text(_ text: String) -> Self {
    raw([UInt8(ascii: "X")] + little(UInt32(text.utf8.count)) + Array(text.utf8))
  }

  func int(_ number: Int) -> Self {
    raw([0x8A, 8] + little(number))
  }

  func global(_ module: String, _ name: String) -> Self { raw("c\(module)\n\(name)\n") }

  func tuple(_ numbers: [Int]) -> Self {
    numbers.reduce(raw("(")) { $0.int($1) }.raw("t")
  }

  /// A tensor of floats over the storage of that key.
  func tensor(
    storage: String = "0", type: String = "FloatStorage", count: Int, offset: Int = 0,
    shape: [Int], strides: [Int]
  ) -> Self {
    global("torch._utils", "_rebuild_tensor_v2").raw("((").text("storage").global("torch", type)
      .text(storage).text("cpu").int(count).raw("tQ").int(offset).tuple(shape).tuple(strides)
      .raw([0x89]).global("collections", "OrderedDict").raw(")RtR")
  }

  /// The pickle of a dict with one entry, which `value` appends.
  static func dictionary(key: String = "weight", _ value: (Self) -> Self) -> [UInt8] {
    value(PickleBuilder().raw("}").text(key)).raw("s.").bytes
  }
}
