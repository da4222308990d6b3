import Foundation
import SamCheckpoint
import SamTestSupport
import Testing

struct HostilePickleTests {
  private func open(_ pickle: [UInt8], storages: [[UInt8]] = [[UInt8](repeating: 0, count: 24)])
    throws -> PyTorchFile
  {
    let folder = try TemporaryFolder()
    let bytes = ZipBuilder.checkpoint(pickle: pickle, storages: storages).bytes()
    return try PyTorchFile(url: try folder.write(bytes, as: "hostile.pt"))
  }

  /// The reason that the file is refused for, or a note that it was not.
  private func refusal(_ pickle: [UInt8]) throws -> String {
    do {
      let file = try open(pickle)
      return "was read, with \(file.tensors.count) tensors"
    } catch let error as CheckpointError {
      return error.description
    }
  }

  @Test func theBuildersWriteRightFilesWhereTheyShould() throws {
    let pickle = PickleBuilder.dictionary {
      $0.tensor(count: 6, offset: 1, shape: [2, 2], strides: [2, 1])
    }
    let values: [Float] = [0, 1, 2, 3, 4, 5]
    let file = try open(pickle, storages: [values.flatMap { little($0.bitPattern) }])
    #expect(file["weight"]?.floats() == [1, 2, 3, 4])
  }

  @Test(arguments: [
    ("os", "system"), ("builtins", "eval"), ("torch._utils", "_rebuild_tensor_v2 "),
    ("collections", "OrderedDict\u{0}"), ("", ""), ("torch", "FloatStorage.x"),
  ])
  func refusesAnyOtherGlobal(module: String, name: String) throws {
    let plain = PickleBuilder.dictionary { $0.global(module, name) }
    let stacked = PickleBuilder.dictionary { $0.text(module).text(name).raw([0x93]) }
    #expect(try refusal(plain).contains("refused: its pickle calls for \(module).\(name),"))
    #expect(try refusal(stacked).contains("refused: its pickle calls for \(module).\(name),"))
  }

  /// Operations that make or run code, or that no state dict needs.
  @Test(
    arguments: Array(
      "iobIFSVPLgpT\u{81}\u{92}\u{90}\u{91}\u{8f}\u{82}\u{83}\u{84}\u{8b}\u{97}\u{98}"
        .unicodeScalars))
  func refusesOtherOperationsByCode(code: Unicode.Scalar) throws {
    let byte = UInt8(code.value)
    let reason = try refusal(PickleBuilder.dictionary { $0.raw([byte]) })
    if code == "b" {
      #expect(reason.contains("sets the state of what is not a dict") || reason.contains("lacks"))
    } else {
      #expect(reason.contains("operation 0x\(String(byte, radix: 16)), which a state dict"))
    }
  }

  @Test func aDictThatHoldsItselfIsRefused() throws {
    let pickle = PickleBuilder().raw("}q").raw([0]).text("self").raw("h").raw([0]).raw("s.").bytes
    #expect(try refusal(pickle).contains("lies in more than 16 dicts or lists"))
    let list = PickleBuilder().raw("}").text("list").raw("]q").raw([0]).raw("h").raw([0])
      .raw("as.").bytes
    #expect(try refusal(list).contains("lies in more than 16 dicts or lists"))
  }

  @Test func sharingThatStandsForATreeOfAnySizeIsRefused() throws {
    // Each list holds the one before it 32 times.
    var pickle = PickleBuilder().raw("}").text("a").raw("]q").raw([0])
    for level in 1...12 {
      pickle = pickle.raw("](")
      for _ in 0..<32 { pickle = pickle.raw("h").raw([UInt8(level - 1)]) }
      pickle = pickle.raw("eq").raw([UInt8(level)])
    }
    let bytes = pickle.raw("r").raw(little(UInt32(20))).raw([0x30]).raw("h").raw([20]).bytes
    // The levels below are still on the stack; taken off, they would end the pickle the same way.
    let ended =
      bytes + [UInt8](repeating: 0x30, count: 13) + Array("h".utf8) + [20] + Array("s.".utf8)
    #expect(try refusal(ended).contains("stands for far more values than it holds"))
  }

  @Test(arguments: [
    ("recall of nothing", "h\u{7}", "recalls value 7, which it never kept"),
    ("call of a number", "K\u{1})R", "calls what is not a function"),
    ("call of a storage", "ctorch\nFloatStorage\n)R", "calls a storage"),
    ("ordered dict of pairs", "ccollections\nOrderedDict\n(]tR", "made with arguments"),
    ("tensor of nothing", "ctorch._utils\n_rebuild_tensor_v2\n)R", "a tensor is not made of"),
    ("parameter of nothing", "ctorch._utils\n_rebuild_parameter\n)R", "a parameter is made of"),
    ("size of nothing", "ctorch\nSize\n)R", "torch.Size is not given a tuple"),
    ("persistent number", "K\u{1}Q", "refers to something other than a storage"),
    ("persistent tuple", ")Q", "refers to something other than a storage"),
    ("item without dict", "K\u{1}K\u{1}K\u{1}s", "sets items of what is not a dict"),
    ("append to a number", "K\u{1}K\u{1}a", "appends to what is not a list"),
    ("end without mark", "t", "lacks its mark"),
    ("pop through a mark", "(0", "lacks its value"),
    ("left-over mark", "(K\u{1}", "lacks its value"),
    ("text cut short", "X\u{7F}\u{7F}\u{7F}\u{7F}", "is cut short"),
    ("global without end", "cos", "the name of a global is cut short"),
  ])
  func refusesNonsense(name: String, operations: String, reason: String) throws {
    let pickle = PickleBuilder.dictionary { $0.raw(operations) }
    let refusal = try refusal(pickle)
    #expect(refusal.contains(reason), "\(name): \(refusal)")
  }

  @Test(arguments: [0, 1, 6, 255] as [UInt8])
  func refusesOtherProtocols(version: UInt8) throws {
    #expect(try refusal([0x80, version] + Array("}.".utf8)).contains("its protocol is \(version)"))
  }

  @Test func refusesAPickleThatIsNotADict() throws {
    #expect(try refusal(PickleBuilder().raw("K\u{1}.").bytes).contains("other than a dict"))
    #expect(try refusal(PickleBuilder().raw("N}.").bytes).contains("left over at its end"))
    #expect(try refusal([]).contains("cut short"))
  }

  @Test func refusesHugePromises() throws {
    let memo = PickleBuilder.dictionary { $0.raw("Nr").raw(little(UInt32.max)) }
    #expect(try refusal(memo).contains("memory for the values of its pickle"))
    let text = PickleBuilder.dictionary { $0.raw([0x8D]).raw(little(UInt64.max)) }
    #expect(try refusal(text).contains("a text of 18446744073709551615 bytes is cut short"))
    let stack = PickleBuilder().raw([UInt8](repeating: 0x4E, count: 8_000_000)).bytes
    #expect(try refusal(stack).contains("values on the stack"))
    let lists = PickleBuilder.dictionary { $0.raw([UInt8](repeating: 0x5D, count: 60_000)) }
    #expect(try refusal(lists).contains("memory for the values of its pickle"))
    let marks = PickleBuilder.dictionary { $0.raw([UInt8](repeating: 0x28, count: 60_000)) }
    #expect(try refusal(marks).contains("nest deeper than 256"))
    let long = PickleBuilder.dictionary { $0.raw([0x8A, 200]) }
    #expect(try refusal(long).contains("a number of 200 bytes"))
  }

  /// Tensors over a storage of six floats.
  @Test(arguments: [
    ("element past the end", 6, 0, [7], [1], "does not lie in its storage"),
    ("offset past the end", 6, 6, [1], [1], "does not lie in its storage"),
    ("stride past the end", 6, 0, [2, 2], [5, 1], "does not lie in its storage"),
    ("negative offset", 6, -1, [2], [1], "does not lie in its storage"),
    ("negative stride", 6, 5, [2], [-1], "does not lie in its storage"),
    ("stride that overflows", 6, 0, [3, 1], [Int.max, 1], "does not lie in its storage"),
    ("offset that overflows", 6, Int.max, [2], [1], "does not lie in its storage"),
    ("negative side", 6, 0, [-1], [1], "impossible shape"),
    ("sides that overflow", 6, 0, [Int.max, 3], [0, 0], "impossible shape"),
    ("a gigabyte out of one float", 6, 0, [1 << 28], [0], "more than the limit"),
    ("storage larger than its entry", 7, 0, [6], [1], "too few for 7 of F32"),
    ("storage of negative size", -1, 0, [0], [1], "too few for -1 of F32"),
    ("storage that overflows", Int.max, 0, [6], [1], "too few for"),
    ("fewer strides than sides", 6, 0, [2, 3], [1], "a tensor is not made of"),
    (
      "17 sides", 6, 0, [Int](repeating: 1, count: 17), [Int](repeating: 1, count: 17),
      "a tensor is not"
    ),
  ])
  func refusesTensorsOutsideTheirStorage(
    name: String, count: Int, offset: Int, shape: [Int], strides: [Int], reason: String
  ) throws {
    let pickle = PickleBuilder.dictionary {
      $0.tensor(count: count, offset: offset, shape: shape, strides: strides)
    }
    let refusal = try refusal(pickle)
    #expect(refusal.contains(reason), "\(name): \(refusal)")
  }

  @Test func refusesManyTensorsThatAddUpToFarMoreThanTheFile() throws {
    var pickle = PickleBuilder().raw("}")
    for i in 0..<40 {
      pickle = pickle.text("t\(i)").tensor(count: 6, shape: [1000], strides: [0]).raw("s")
    }
    #expect(try refusal(pickle.raw(".").bytes).contains("more than the limit"))
  }

  @Test func refusesAStorageThatIsNotThere() throws {
    let pickle = PickleBuilder.dictionary {
      $0.tensor(storage: "../../etc/passwd", count: 6, shape: [6], strides: [1])
    }
    #expect(try refusal(pickle).contains("its storage \"../../etc/passwd\" is not in the archive"))
  }

  @Test func refusesTwoTensorsOfOneName() throws {
    var pickle = PickleBuilder().raw("}")
    for _ in 0..<2 {
      pickle = pickle.text("w").tensor(count: 6, shape: [6], strides: [1]).raw("s")
    }
    #expect(try refusal(pickle.raw(".").bytes).contains("\"w\" stands twice"))
  }
}
