import Foundation
import SamCheckpoint
import SamTestSupport
import Testing

struct PyTorchFileTests {
  @Test(arguments: [
    "types_protocol2", "types_protocol3", "types_protocol4", "types_protocol5", "strided", "shared",
    "module", "parameters", "nested", "state_dict", "model", "zip64",
  ])
  func findsWhatPyTorchSaved(name: String) throws {
    let file = try PyTorchFile(url: Goldens.url("\(name).pt"))
    expectEqual(file, try SafetensorsFile(url: Goldens.url("\(name).expected.safetensors")))
    #expect(file["missing"] == nil)
  }

  @Test(arguments: ["state_dict", "model"])
  func whatLiesBesideTheStateDictIsText(name: String) throws {
    let file = try PyTorchFile(url: Goldens.url("\(name).pt"))
    #expect(file.metadata == ["epoch": "12", "lr": "0.5", "name": "tiny", "best": "true"])
  }

  @Test func theFormatIsToldByTheContent() throws {
    let folder = try TemporaryFolder()
    let misnamed = try folder.write(
      try Data(contentsOf: Goldens.url("module.pt")), as: "module.safetensors")
    expectEqual(
      try CheckpointFile.open(misnamed),
      try CheckpointFile.open(Goldens.url("module.expected.safetensors")))
  }

  @Test(
    .enabled(if: ReferenceFolder.url("mobile_sam_synthetic.pt") != nil, "needs ../shared/reference")
  )
  func readsAWholeCheckpoint() throws {
    let url = try #require(ReferenceFolder.url("mobile_sam_synthetic.pt"))
    let file = try PyTorchFile(url: url)
    #expect(file.tensors.count == 439)
    #expect(file.tensors.reduce(0) { $0 + $1.count } == 10_140_231)
    #expect(file["image_encoder.patch_embed.seq.0.c.weight"]?.shape == [32, 3, 3, 3])
    #expect(file["image_encoder.patch_embed.seq.0.bn.num_batches_tracked"]?.type == .int64)
    #expect(file.damagedEntries().isEmpty)
    let folder = try TemporaryFolder()
    let copy = folder.file("copy.safetensors")
    try SafetensorsWriter.write(file.tensors, to: copy)
    expectEqual(try SafetensorsFile(url: copy), file)
  }

  @Test func damagedBytesAreNamed() throws {
    let folder = try TemporaryFolder()
    var bytes = [UInt8](try Data(contentsOf: Goldens.url("module.pt")))
    let intact = try folder.write(bytes, as: "intact.pt")
    #expect(try PyTorchFile(url: intact).damagedEntries() == [])
    let position = try #require(
      Data(bytes).range(of: Data("module/data/0".utf8))?.upperBound)
    bytes[position + 200] ^= 1
    let damaged = try folder.write(bytes, as: "damaged.pt")
    #expect(try PyTorchFile(url: damaged).damagedEntries() == ["module/data/0"])
  }

  // MARK: Hostile files

  @Test(arguments: [
    ("hostile_global", 181, "posix.system"), ("hostile_module", 2, "__main__.Block"),
  ])
  func refusesOtherGlobalsByName(name: String, offset: Int, global: String) throws {
    let url = Goldens.url("\(name).pt")
    #expect(
      throws: CheckpointError.refusedGlobal(file: url.path, offset: offset, global: global)
    ) { try PyTorchFile(url: url) }
    #expect(!FileManager.default.fileExists(atPath: "samswift-was-here"))
  }

  @Test func refusesOldFilesAndOtherTypesByName() throws {
    let legacy = Goldens.url("legacy.pt")
    #expect(throws: CheckpointError.oldPyTorchFormat(file: legacy.path)) {
      try CheckpointFile.open(legacy)
    }
    let double = Goldens.url("double.pt")
    #expect(
      throws: CheckpointError.unsupportedType(
        file: double.path, tensor: "weight", type: "DoubleStorage")
    ) { try CheckpointFile.open(double) }
  }

  @Test(arguments: ["module", "types_protocol4", "strided", "zip64", "nested"])
  func refusesAFileCutAtEveryPercent(name: String) throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: Goldens.url("\(name).pt"))
    for percent in 0..<100 {
      let url = try folder.write(whole.prefix(whole.count * percent / 100), as: "cut.pt")
      #expect(throws: CheckpointError.self, "cut to \(percent) %") { try CheckpointFile.open(url) }
    }
  }

  @Test(
    .enabled(if: ReferenceFolder.url("mobile_sam_synthetic.pt") != nil, "needs ../shared/reference")
  )
  func refusesAWholeCheckpointCutAtEveryPercent() throws {
    let url = try #require(ReferenceFolder.url("mobile_sam_synthetic.pt"))
    let folder = try TemporaryFolder()
    let cut = folder.file("cut.pt")
    try FileManager.default.copyItem(at: url, to: cut)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: cut.path)
    let size = try #require(cut.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    let handle = try FileHandle(forUpdating: cut)
    for percent in (0..<100).reversed() {
      try handle.truncate(atOffset: UInt64(size * percent / 100))
      #expect(throws: CheckpointError.self, "cut to \(percent) %") { try CheckpointFile.open(cut) }
    }
  }

  @Test(arguments: ["module.pt", "types_protocol4.pt", "zip64.pt", "library.safetensors"])
  func aChangedByteIsReadOrRefusedAndNeverCrashes(name: String) throws {
    let folder = try TemporaryFolder()
    let whole = [UInt8](try Data(contentsOf: Goldens.url(name)))
    var state: UInt64 = 20_261_130
    for position in whole.indices {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var bytes = whole
      bytes[position] = UInt8(truncatingIfNeeded: state >> 56)
      let url = try folder.write(bytes, as: "changed")
      do {
        let file = try CheckpointFile.open(url)
        for tensor in file.tensors { #expect(tensor.floats().count == tensor.count) }
      } catch {
        // A message must be able to say it, whatever stands in the file.
        #expect(error.description.hasPrefix(url.path))
      }
    }
  }
}
