import Foundation
import SamTestSupport
import SamWeightStore
import Testing

struct WeightStoreTests {
  @Test(arguments: [
    (["SAMSWIFT_HOME": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"], "/a"),
    (["XDG_CACHE_HOME": "/b", "HOME": "/c"], "/b/samswift"),
    (["SAMSWIFT_HOME": "", "XDG_CACHE_HOME": "", "HOME": "/c"], "/c/.cache/samswift"),
    (["XDG_CACHE_HOME": "relative", "HOME": "/c"], "/c/.cache/samswift"),
  ])
  func theEnvironmentNamesTheFolder(variables: [String: String], path: String) throws {
    #expect(try WeightStore(variables: variables).folder.path == path)
  }

  @Test func theCatalogueIsTheOneOfTheDesign() throws {
    let store = try WeightStore(variables: ["SAMSWIFT_HOME": "/nowhere"])
    #expect(store.models.map(\.name) == ["lite", "mobile-sam"])
    let mobile = try store.model("mobile-sam")
    #expect(mobile.size == 40_728_226)
    #expect(mobile.checksum.count == 64)
    #expect(store.place(of: mobile)?.path == "/nowhere/mobile_sam.pt")
    #expect(store.locate(mobile) == nil)
    #expect(
      throws: WeightStoreError.notDownloaded(
        model: "mobile-sam", place: "/nowhere/mobile_sam.pt")
    ) { try store.requireFile(of: mobile) }
    #expect(throws: WeightStoreError.unknownModel(name: "sam2", known: ["lite", "mobile-sam"])) {
      try store.model("sam2")
    }
  }

  @Test func theBundledModelIsThereAndItself() throws {
    let store = try WeightStore(variables: ["SAMSWIFT_HOME": "/nowhere"])
    #expect(try store.verify(.lite).lastPathComponent == "samswift_lite.safetensors")
    #expect(store.locate(.lite) != nil)
  }

  @Test func theEnvironmentNamesAMirror() throws {
    let checksum = String(repeating: "AB", count: 32)
    let store = try WeightStore(variables: [
      "SAMSWIFT_MOBILE_SAM_URL": "http://mirror/x.pt", "SAMSWIFT_MOBILE_SAM_SIZE": "17",
      "SAMSWIFT_MOBILE_SAM_SHA256": checksum,
    ])
    let model = try store.model("mobile-sam")
    #expect(model.source == .download(address: "http://mirror/x.pt", fileName: "mobile_sam.pt"))
    #expect(model.size == 17)
    #expect(model.checksum == checksum.lowercased())
  }

  @Test(arguments: [
    ("SAMSWIFT_MOBILE_SAM_URL", "file:///etc/passwd", "an http or https address"),
    ("SAMSWIFT_MOBILE_SAM_SIZE", "-1", "a number of bytes"),
    ("SAMSWIFT_MOBILE_SAM_SHA256", "abc", "64 hexadecimal digits"),
  ])
  func aVariableThatCannotBeUsedIsNamed(name: String, value: String, wanted: String) throws {
    #expect(throws: WeightStoreError.badVariable(name: name, value: value, wanted: wanted)) {
      try WeightStore(variables: [name: value])
    }
  }

  @Test func verifyingReadsEveryByte() throws {
    let sample = try SampleStore("http://127.0.0.1:1/")
    try Data(SampleFile.bytes).write(to: sample.place)
    #expect(try sample.store.verify(sample.model) == sample.place)
    var bytes = SampleFile.bytes
    bytes[299_999] ^= 0x80
    try Data(bytes).write(to: sample.place)
    #expect(sample.store.locate(sample.model) != nil)
    let error = #expect(throws: WeightStoreError.self) { try sample.store.verify(sample.model) }
    guard case .wrongChecksum(sample.place.path, SampleFile.checksum, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try Data(bytes.dropLast()).write(to: sample.place)
    #expect(
      throws: WeightStoreError.wrongLength(
        source: sample.place.path, expected: 300_000, actual: 299_999)
    ) { try sample.store.verify(sample.model) }
  }

  @Test func aFolderInTheFilesPlaceIsNotTheFile() throws {
    let sample = try SampleStore("http://127.0.0.1:1/")
    try FileManager.default.createDirectory(at: sample.place, withIntermediateDirectories: false)
    #expect(sample.store.locate(sample.model) == nil)
    #expect(
      throws: WeightStoreError.unreadable(path: sample.place.path, reason: "it is not a file")
    ) { try sample.store.requireFile(of: sample.model) }
  }
}
