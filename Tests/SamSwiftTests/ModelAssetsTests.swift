import Foundation
import SamSwift
import SamWeightStore
import Synchronization
import Testing

struct ModelAssetsTests {
  /// A store of its own, with MobileSAM at an address where nobody answers.
  private func assets(in folder: URL, checksum: String? = nil) -> ModelAssets {
    let mobileSam = CatalogueModel(
      name: "mobile-sam", summary: "", licence: "", size: 5,
      checksum: checksum ?? String(repeating: "0", count: 64),
      source: .download(address: "http://127.0.0.1:9/weights.pt", fileName: "weights.pt"))
    var patience = DownloadPatience()
    patience.attempts = 1
    patience.pause = 0
    return ModelAssets(
      store: WeightStore(folder: folder, models: [.lite, mobileSam]), patience: patience)
  }

  private func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("assets-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }

  @Test func theBundledModelIsReadyAndNeedsNoDownload() async throws {
    try await withFolder { folder in
      let assets = assets(in: folder)
      #expect(assets.status(of: .bundled(.lite)) == .ready)
      let shares = Mutex<[Double]>([])
      try await assets.download(.bundled(.lite)) { share in shares.withLock { $0.append(share) } }
      #expect(shares.withLock { $0 } == [1])
    }
  }

  @Test func aModelThatIsNotThereIsNotReady() async throws {
    try await withFolder { folder in
      let assets = assets(in: folder)
      #expect(assets.status(of: .bundled(.mobileSam)) == .notReady)
      #expect {
        try assets.locate(.bundled(.mobileSam))
      } throws: { error in
        guard case SamSwiftError.modelUnavailable(let model, let reason) = error else {
          return false
        }
        return model == "mobile-sam" && reason.contains(folder.path)
      }
    }
  }

  @Test func aFileThatWasPlacedIsReady() async throws {
    try await withFolder { folder in
      let assets = assets(in: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let place = folder.appendingPathComponent("weights.pt")
      try Data([1, 2, 3, 4, 5]).write(to: place)
      #expect(assets.status(of: .bundled(.mobileSam)) == .ready)
      #expect(try assets.locate(.bundled(.mobileSam)).path == place.path)
    }
  }

  @Test func aFailedDownloadIsRememberedAsAnError() async throws {
    try await withFolder { folder in
      let assets = assets(in: folder)
      await #expect(throws: SamSwiftError.self) {
        try await assets.download(.bundled(.mobileSam)) { _ in }
      }
      guard case .error = assets.status(of: .bundled(.mobileSam)) else {
        Issue.record("the status is \(assets.status(of: .bundled(.mobileSam)))")
        return
      }
    }
  }

  @Test func filesAreReadyWhereTheyExist() async throws {
    try await withFolder { folder in
      let assets = assets(in: folder)
      let missing = SegmentationModel.file(folder.appendingPathComponent("none.safetensors"))
      #expect(assets.status(of: missing) == .notReady)
      await #expect(throws: SamSwiftError.self) { try await assets.download(missing) { _ in } }
    }
  }
}
