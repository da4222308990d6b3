import Foundation
import SamWeightStore
import Synchronization

/// Where the weights of the models lie, and how they get there.
package struct ModelAssets: Sendable {
  private let store: WeightStore
  private let patience: DownloadPatience

  /// The last failed download of each file, until the next one begins.
  private static let failures = Mutex<[URL: WeightStoreError]>([:])

  package init(store: WeightStore, patience: DownloadPatience = DownloadPatience()) {
    self.store = store
    self.patience = patience
  }

  /// The assets on this machine, as the environment has them.
  ///
  /// - Throws: ``SamSwiftError/modelUnavailable(model:reason:)``.
  static func current(for model: SegmentationModel) throws(SamSwiftError) -> ModelAssets {
    do {
      return ModelAssets(store: try WeightStore())
    } catch { throw .modelUnavailable(model: model.description, reason: "\(error)") }
  }

  /// The file of a model.
  ///
  /// - Throws: ``SamSwiftError/modelUnavailable(model:reason:)`` where there is none.
  package func locate(_ model: SegmentationModel) throws(SamSwiftError) -> URL {
    do {
      switch model {
      case .bundled(let bundled):
        return try store.requireFile(of: try store.model(bundled.rawValue))
      case .file(let url):
        guard FileManager.default.fileExists(atPath: url.path) else {
          throw SamSwiftError.modelUnavailable(
            model: model.description, reason: "there is no such file")
        }
        return url
      }
    } catch let error as SamSwiftError {
      throw error
    } catch { throw .modelUnavailable(model: model.description, reason: "\(error)") }
  }

  /// Whether a model's file is there.
  package func status(of model: SegmentationModel) -> DownloadableAssetsRequestStatus {
    if (try? locate(model)) != nil { return .ready }
    guard case .bundled(let bundled) = model, let known = try? store.model(bundled.rawValue)
    else { return .notReady }
    if Downloads.shared.progress(of: known, in: store) != nil { return .downloading }
    guard let place = store.place(of: known), let failure = Self.failures.withLock({ $0[place] })
    else { return .notReady }
    return .error(failure)
  }

  /// Downloads a model's file, unless it is there.
  ///
  /// - Parameters:
  ///   - model: A model by name; a file cannot be downloaded.
  ///   - report: Told the share that is there, from 0 to 1, from any thread.
  /// - Throws: ``SamSwiftError/modelUnavailable(model:reason:)``, ``SamSwiftError/cancelled``.
  package func download(
    _ model: SegmentationModel, report: @escaping @Sendable (Double) -> Void
  ) async throws(SamSwiftError) {
    if (try? locate(model)) == nil {
      guard case .bundled(let bundled) = model else {
        _ = try locate(model)
        return
      }
      do {
        let known = try store.model(bundled.rawValue)
        let place = store.place(of: known)
        if let place { Self.failures.withLock { $0[place] = nil } }
        do {
          _ = try await Downloads.shared.download(known, into: store, patience: patience) {
            report(Double($0.received) / Double(max(1, $0.total)))
          }
        } catch {
          if let place, error != .cancelled { Self.failures.withLock { $0[place] = error } }
          throw error
        }
      } catch WeightStoreError.cancelled {
        throw .cancelled
      } catch { throw .modelUnavailable(model: model.description, reason: "\(error)") }
    }
    report(1)
  }
}
