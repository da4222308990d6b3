import Foundation
import SamCheckpoint
import SamCommandLine
import SamTestSupport
import SamWeightStore
import Testing

struct WeightsCommandTests {
  /// A store in the folder that the run works in.
  private func variables(
    _ folder: ScratchFolder, _ others: [String: String] = [:]
  ) -> [String: String] {
    ["SAMSWIFT_HOME": folder.path("store")].merging(others) { $1 }
  }

  /// A checkpoint of three tensors.
  private func writeSample(_ name: String, in folder: ScratchFolder) throws {
    let tensors = [
      CheckpointTensor(name: "layer.weight", shape: [2, 3], floats: [1, 2, 3, 4, 5, 1 / 3]),
      CheckpointTensor(name: "layer.scale", shape: [], floats: [0.5]),
      CheckpointTensor(name: "steps", shape: [1], type: .int64, bytes: [7, 0, 0, 0, 0, 0, 0, 0]),
    ]
    try SafetensorsWriter.write(
      tensors, metadata: ["note": "two\nlines\u{1B}[31m"],
      to: URL(fileURLWithPath: folder.path(name)))
  }

  @Test func listsEveryModelAndItsPlace() async throws {
    let folder = try ScratchFolder()
    let run = await CommandRun(["weights", "list"], in: folder, variables: variables(folder))
    #expect(run.code == 0)
    #expect(run.lines.count == 4)
    #expect(run.lines[0].hasPrefix("lite        10.8 MB   part of SamSwift  /"))
    #expect(
      run.lines[2]
        == "mobile-sam  40.7 MB   not downloaded    \(folder.path("store/mobile_sam.pt"))")
    #expect(run.lines[3].hasSuffix("licence: Apache-2.0"))
  }

  @Test func listsAsJSON() async throws {
    let folder = try ScratchFolder()
    let run = await CommandRun(
      ["weights", "list", "--json"], in: folder, variables: variables(folder))
    let models = try JSONDecoder().decode([Row].self, from: Data(run.output))
    #expect(models.map(\.name) == ["lite", "mobile-sam"])
    #expect(models.map(\.present) == [true, false])
    #expect(models[1].size == 40_728_226)
  }

  private struct Row: Decodable {
    let name: String
    let present: Bool
    let size: Int
  }

  @Test func aModelThatIsNotThereHasNoPath() async throws {
    let folder = try ScratchFolder()
    let absent = await CommandRun(
      ["weights", "path", "mobile-sam"], in: folder, variables: variables(folder))
    #expect(absent.code == 1)
    #expect(absent.output.isEmpty)
    #expect(absent.errors.contains("'samswift weights download mobile-sam' fetches them"))
    let there = await CommandRun(
      ["weights", "path", "lite"], in: folder, variables: variables(folder))
    #expect(there.code == 0)
    #expect(FileManager.default.fileExists(atPath: try #require(there.lines.first)))
  }

  @Test func aWrongModelIsWrongUsage() async throws {
    let folder = try ScratchFolder()
    for command in ["path", "download"] {
      let run = await CommandRun(
        ["weights", command, "sam2"], in: folder, variables: variables(folder))
      #expect(run.code == 64)
      #expect(
        run.errors.hasPrefix("error: NAME 'sam2' is not right: it must be one of lite, mobile-sam"))
    }
  }

  @Test func aWrongVariableIsNamed() async throws {
    let folder = try ScratchFolder()
    let run = await CommandRun(
      ["weights", "list"], in: folder,
      variables: variables(folder, ["SAMSWIFT_MOBILE_SAM_URL": "ftp://x"]))
    #expect(run.code == 1)
    #expect(
      run.errors
        == "error: the environment variable SAMSWIFT_MOBILE_SAM_URL must be an http or https "
        + "address, not \"ftp://x\"\n")
  }

  // MARK: Files

  @Test func convertsAndKeepsTheBits() async throws {
    let folder = try ScratchFolder()
    try writeSample("in.safetensors", in: folder)
    let run = await CommandRun(
      ["weights", "convert", "in.safetensors", "out.safetensors"], in: folder,
      variables: variables(folder))
    #expect(run.code == 0)
    #expect(run.text == "out.safetensors\n")
    let source = try CheckpointFile.open(URL(fileURLWithPath: folder.path("in.safetensors")))
    let copy = try CheckpointFile.open(URL(fileURLWithPath: folder.path("out.safetensors")))
    for tensor in source.tensors {
      let other = try #require(copy[tensor.name])
      #expect(other.shape == tensor.shape && other.type == tensor.type)
      #expect(other.withBytes { left in tensor.withBytes { left.elementsEqual($0) } })
    }
    #expect(copy.metadata == source.metadata.merging(["format": "pt"]) { $1 })
  }

  @Test(arguments: ["f32", "f16", "bf16"])
  func convertsToTheFormatAskedFor(format: String) async throws {
    let folder = try ScratchFolder()
    try writeSample("in.safetensors", in: folder)
    let run = await CommandRun(
      ["weights", "convert", "in.safetensors", "in.safetensors", "--dtype", format], in: folder,
      variables: variables(folder))
    #expect(run.code == 0)
    let copy = try CheckpointFile.open(URL(fileURLWithPath: folder.path("in.safetensors")))
    #expect(copy["layer.weight"]?.type.rawValue == format.uppercased())
    #expect(copy["steps"]?.type == .int64)
    #expect(copy["layer.weight"]?.floats()[..<5] == [1, 2, 3, 4, 5])
    let third = try #require(copy["layer.weight"]?.floats()[5])
    #expect(abs(third - 1 / 3) < 1 / 512)
  }

  @Test func aFileThatIsNoCheckpointIsNotConverted() async throws {
    let folder = try ScratchFolder()
    try folder.write("in.pt", Array("hello, world".utf8))
    try folder.write("out.safetensors", [1, 2, 3])
    let run = await CommandRun(
      ["weights", "convert", "in.pt", "out.safetensors"], in: folder, variables: variables(folder))
    #expect(run.code == 1)
    #expect(run.errors.contains("neither safetensors nor a PyTorch archive"))
    #expect(try folder.bytes("out.safetensors") == [1, 2, 3])
    let wrong = await CommandRun(
      ["weights", "convert", "in.pt", "out.safetensors", "--dtype", "f8"], in: folder,
      variables: variables(folder))
    #expect(wrong.code == 64)
  }

  @Test func inspectShowsTensorsAndMetadataWithoutControls() async throws {
    let folder = try ScratchFolder()
    try writeSample("in.safetensors", in: folder)
    let run = await CommandRun(
      ["weights", "inspect", "in.safetensors"], in: folder, variables: variables(folder))
    #expect(run.code == 0)
    #expect(
      run.lines == [
        "layer.scale   F32   scalar",
        "layer.weight  F32   2×3",
        "steps         I64   1",
        "note = two\u{FFFD}lines\u{FFFD}[31m",
        "safetensors, 3 tensors, 8 elements, 36 bytes",
      ])
  }

  @Test func inspectsAsJSON() async throws {
    let folder = try ScratchFolder()
    try writeSample("in.safetensors", in: folder)
    let run = await CommandRun(
      ["weights", "inspect", "in.safetensors", "--json"], in: folder, variables: variables(folder))
    let contents = try JSONDecoder().decode(Contents.self, from: Data(run.output))
    #expect(contents.format == "safetensors")
    #expect(contents.metadata == ["note": "two\nlines\u{1B}[31m"])
    #expect(contents.tensors.map(\.name) == ["layer.scale", "layer.weight", "steps"])
    #expect(contents.tensors.map(\.shape) == [[], [2, 3], [1]])
  }

  private struct Contents: Decodable {
    struct Tensor: Decodable {
      let name: String
      let dtype: String
      let shape: [Int]
    }

    let format: String
    let metadata: [String: String]
    let tensors: [Tensor]
  }

  @Test func verifiesModelsAndFiles() async throws {
    let folder = try ScratchFolder()
    let lite = await CommandRun(
      ["weights", "verify", "lite"], in: folder, variables: variables(folder))
    #expect(lite.code == 0)
    #expect(lite.text.contains(": is lite, SHA-256 f89c0343"))
    try writeSample("in.safetensors", in: folder)
    let file = await CommandRun(
      ["weights", "verify", "in.safetensors"], in: folder, variables: variables(folder))
    #expect(file.code == 0)
    #expect(file.text.hasPrefix("in.safetensors: is whole, and none of the known models, SHA-256 "))
    try folder.write("in.safetensors", Array(try folder.bytes("in.safetensors").dropLast()))
    let cut = await CommandRun(
      ["weights", "verify", "in.safetensors"], in: folder, variables: variables(folder))
    #expect(cut.code == 1)
    #expect(cut.output.isEmpty)
  }

  @Test(
    .enabled(
      if: ReferenceFolder.url("mobile_sam_synthetic.pt") != nil, "needs ../shared/reference"))
  func verifyNamesTheDamagedEntryOfAnArchive() async throws {
    let source = try #require(ReferenceFolder.url("mobile_sam_synthetic.pt"))
    let folder = try ScratchFolder()
    var bytes = [UInt8](try Data(contentsOf: source))
    bytes[30_000_000] ^= 1
    try folder.write("damaged.pt", bytes)
    let run = await CommandRun(
      ["weights", "verify", "damaged.pt"], in: folder, variables: variables(folder))
    #expect(run.code == 1)
    #expect(
      run.errors.hasPrefix(
        "error: damaged.pt: damaged: these entries do not have their checksum: "
          + "mobile_sam_synthetic/data/"))
  }
}
