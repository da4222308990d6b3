import Foundation
import SamTestSupport
import SamWeightStore
import Synchronization

/// A file of pseudo-random bytes that stands for a model's weights, and its checksum.
enum SampleFile {
  static let bytes: [UInt8] = {
    var state: UInt64 = 20_261_130
    return (0..<300_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }()

  /// As `sha256sum` computes it.
  static let checksum = "db2265348ba280cdc46d9bd9fe8d1a3cbf42baddcd5750ec4a86d6f33b18f2b1"

  static func model(_ address: String) -> CatalogueModel {
    CatalogueModel(
      name: "sample", summary: "a sample", licence: "none", size: bytes.count, checksum: checksum,
      source: .download(address: address, fileName: "sample.pt"))
  }
}

/// A store in a folder of its own, and what its downloads said.
struct SampleStore {
  let folder: TemporaryFolder
  let store: WeightStore
  let model: CatalogueModel
  let downloads = Downloads()
  var patience = DownloadPatience()

  init(_ address: String) throws {
    folder = try TemporaryFolder()
    model = SampleFile.model(address)
    store = WeightStore(folder: folder.url, models: [model])
    patience.pause = 0.01
    patience.poll = 0.01
  }

  var place: URL { folder.file("sample.pt") }
  var part: URL { folder.file("sample.pt.partial") }

  func download(
    progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws(WeightStoreError) -> URL {
    try await downloads.download(model, into: store, patience: patience, progress: progress)
  }

  /// The names in the folder but for the lock.
  func files() throws -> [String] { try folder.names().filter { !$0.hasSuffix(".lock") } }

  func content() throws -> [UInt8] { [UInt8](try Data(contentsOf: place)) }
}

/// Collects values from any thread.
final class Recorder<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  func append(_ value: Value) { state.withLock { $0.append(value) } }

  var values: [Value] { state.withLock { $0 } }
}

/// A door that is shut until somebody opens it.
final class Gate: Sendable {
  private let state = Mutex(false)

  func open() { state.withLock { $0 = true } }

  /// Waits in a thread.
  func pass() {
    while !state.withLock({ $0 }) { usleep(1000) }
  }

  /// Waits in a task.
  func passed() async throws {
    while !state.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
  }
}
