import Foundation
import SamCheckpoint
import SamModel
import Synchronization

/// The networks of this process: one for each model and configuration, however many sessions use it.
final class NetworkStore: Sendable {
  static let shared = NetworkStore()

  private struct Key: Hashable {
    var model: SegmentationModel
    var configuration: SamConfiguration
  }

  private enum Entry {
    /// The bundled models stay, so that a handler made for every picture does not load them again.
    case kept(SegmentationNetwork)
    /// A file's network goes with its last session.
    case used(WeakNetwork)
  }

  private struct WeakNetwork {
    weak var network: SegmentationNetwork?
  }

  private let entries = Mutex<[Key: Entry]>([:])

  /// The network of a model, loaded if it is the first time.
  ///
  /// Callers that come meanwhile wait for it instead of loading it again.
  func network(
    for model: SegmentationModel, configuration: SamConfiguration
  ) throws(SamSwiftError) -> SegmentationNetwork {
    let key = Key(model: model, configuration: configuration)
    return try entries.withLock { entries throws(SamSwiftError) in
      switch entries[key] {
      case .kept(let network): return network
      case .used(let reference):
        if let network = reference.network { return network }
      case nil: break
      }
      let network = try Self.load(model, configuration)
      switch model {
      case .bundled: entries[key] = .kept(network)
      case .file: entries[key] = .used(WeakNetwork(network: network))
      }
      return network
    }
  }

  private static func load(
    _ model: SegmentationModel, _ configuration: SamConfiguration
  ) throws(SamSwiftError) -> SegmentationNetwork {
    let url = try ModelAssets.current(for: model).locate(model)
    let options = NetworkOptions(
      precision: configuration.precision.networkPrecision, threads: configuration.threads)
    do {
      return try SegmentationNetwork(checkpoint: try CheckpointFile.open(url), options: options)
    } catch {
      throw .modelUnavailable(model: model.description, reason: "\(error)")
    }
  }
}

extension SamConfiguration.Precision {
  fileprivate var networkPrecision: NetworkOptions.Precision {
    switch self {
    case .automatic: .automatic
    case .float32: .float32
    case .bfloat16: .bfloat16
    }
  }
}
