import Foundation
import SamCheckpoint
import SamTestSupport
import Testing

struct SafetensorsWriterTests {
  private func library() throws -> SafetensorsFile {
    try SafetensorsFile(url: Goldens.url("library.safetensors"))
  }

  @Test func whatIsWrittenIsReadBitForBit() throws {
    let folder = try TemporaryFolder()
    let source = try library()
    let url = folder.file("copy.safetensors")
    try SafetensorsWriter.write(source.tensors, metadata: source.metadata, to: url)
    let copy = try SafetensorsFile(url: url)
    expectEqual(copy, source)
    #expect(copy.metadata == source.metadata)
    #expect(try folder.names() == ["copy.safetensors"])
  }

  @Test func theSameTensorsGiveTheSameBytesInAnyOrder() throws {
    let folder = try TemporaryFolder()
    let source = try library()
    let text = ["b": "2", "a": "1", "c": "\u{1}\u{1F}\"\\"]
    try SafetensorsWriter.write(source.tensors, metadata: text, to: folder.file("1"))
    try SafetensorsWriter.write(source.tensors.reversed(), metadata: text, to: folder.file("2"))
    #expect(try Data(contentsOf: folder.file("1")) == Data(contentsOf: folder.file("2")))
    #expect(try SafetensorsFile(url: folder.file("1")).metadata == text)
  }

  @Test func dataBeginsAtAMultipleOf64AndWideTypesComeFirst() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("aligned")
    let tensors = [
      CheckpointTensor(name: "a", shape: [1], type: .float16, bytes: [1, 2]),
      CheckpointTensor(name: "b", shape: [1], floats: [1]),
      CheckpointTensor(name: "c", shape: [1], type: .int64, bytes: [UInt8](repeating: 0, count: 8)),
    ]
    try SafetensorsWriter.write(tensors, to: url)
    let bytes = [UInt8](try Data(contentsOf: url))
    let length = bytes[..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect((8 + length) % 64 == 0)
    let header = String(decoding: bytes[8..<8 + length], as: UTF8.self)
    #expect(
      header.trimmingCharacters(in: .whitespaces) == """
        {"c":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},\
        "b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]},\
        "a":{"dtype":"F16","shape":[1],"data_offsets":[12,14]}}
        """)
  }

  @Test(arguments: [ElementType.float32, .float16, .bfloat16])
  func convertsFloatsAndLeavesIntegers(type: ElementType) throws {
    let folder = try TemporaryFolder()
    let url = folder.file("converted")
    let values: [Float] = [0, -0.0, 1.5, -2.25, 1 / 3, .infinity, 65504, 3e-6]
    let counts = CheckpointTensor(name: "i", shape: [], type: .int64, bytes: little(Int64(7)))
    let sources = [
      CheckpointTensor(name: "f", shape: [2, 4], floats: values),
      CheckpointTensor(
        name: "h", shape: [8], type: .float16, bytes: values.flatMap { little($0.halfBits) }),
      CheckpointTensor(
        name: "b", shape: [8], type: .bfloat16,
        bytes: values.map { $0 == 65504 ? 65280 : $0 }.flatMap { little($0.bfloat16Bits) }),
      counts,
    ]
    try SafetensorsWriter.write(sources, to: url, as: type)
    let file = try SafetensorsFile(url: url)
    for source in sources where source.type != .int64 {
      let expected = source.floats().map { value in
        switch type {
        case .float16: Float(halfBits: value.halfBits)
        case .bfloat16: Float(bitPattern: UInt32(value.bfloat16Bits) << 16)
        default: value
        }
      }
      let tensor = try #require(file[source.name])
      #expect(tensor.type == type)
      #expect(tensor.shape == source.shape)
      #expect(tensor.floats().map(\.bitPattern) == expected.map(\.bitPattern))
    }
    #expect(file["i"]?.type == .int64)
    #expect(file["i"]?.floats() == [7])
  }

  @Test(arguments: [ElementType.float16, .bfloat16])
  func roundsAsPyTorchDoes(type: ElementType) throws {
    let folder = try TemporaryFolder()
    let url = folder.file("rounded")
    let source = try PyTorchFile(url: Goldens.url("module.pt"))
    try SafetensorsWriter.write(source.tensors, to: url, as: type)
    let name = "module_\(type.rawValue.lowercased()).expected.safetensors"
    expectEqual(try SafetensorsFile(url: url), try SafetensorsFile(url: Goldens.url(name)))
  }

  @Test(arguments: [(ElementType.float16, Float(70000)), (.bfloat16, .greatestFiniteMagnitude)])
  func aValueThatWouldBecomeInfiniteIsAnErrorAndTheOldFileStays(
    type: ElementType, value: Float
  ) throws {
    let folder = try TemporaryFolder()
    let url = try folder.write([1, 2, 3], as: "old")
    let tensor = CheckpointTensor(name: "w", shape: [3], floats: [1, value, .infinity])
    #expect(throws: CheckpointError.valueOutOfRange(tensor: "w", value: value, type: type)) {
      try SafetensorsWriter.write([tensor], to: url, as: type)
    }
    #expect(try Data(contentsOf: url) == Data([1, 2, 3]))
    #expect(try folder.names() == ["old"])
  }

  @Test func replacesTheFileThatALinkStandsFor() throws {
    let folder = try TemporaryFolder()
    let target = try folder.write([1], as: "target")
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    try SafetensorsWriter.write([], metadata: ["a": "b"], to: link)
    #expect(try SafetensorsFile(url: target).metadata == ["a": "b"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
  }

  @Test func refusesPlacesThatAreNotFiles() throws {
    let folder = try TemporaryFolder()
    #expect(throws: CheckpointError.unwritable(file: folder.url.path, reason: "it is a folder")) {
      try SafetensorsWriter.write([], to: folder.url)
    }
    #expect(
      throws: CheckpointError.unwritable(file: "/dev/null", reason: "it is not a regular file")
    ) { try SafetensorsWriter.write([], to: URL(fileURLWithPath: "/dev/null")) }
    let nowhere = folder.file("missing/out")
    #expect(
      throws: CheckpointError.unwritable(file: nowhere.path, reason: "No such file or directory")
    ) { try SafetensorsWriter.write([], to: nowhere) }
  }

  @Test func refusesTwoTensorsOfOneName() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("twice")
    let tensor = CheckpointTensor(name: "w", shape: [1], floats: [1])
    #expect(throws: CheckpointError.duplicateKey(file: url.path, key: "w")) {
      try SafetensorsWriter.write([tensor, tensor], to: url)
    }
    #expect(try folder.names() == [])
  }
}
