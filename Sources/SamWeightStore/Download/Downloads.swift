import Foundation
import Synchronization

/// The downloads of this process: callers that want the same file share one.
package final class Downloads: Sendable {
  /// All downloads go through this one.
  package static let shared = Downloads()

  private struct Running {
    /// Tells a download from the next one of the same file.
    let number: Int
    var task: Task<Void, Never>?
    var waiting: [Int: Waiting] = [:]
    var latest: DownloadProgress
  }

  private struct Waiting {
    let continuation: CheckedContinuation<URL, any Error>
    let progress: @Sendable (DownloadProgress) -> Void
  }

  private struct State {
    var running: [URL: Running] = [:]
    private var lastNumber = 0

    mutating func makeNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    init() {}
  }

  private let state = Mutex(State())

  package init() {}

  /// How far the download of a model has come, or nil where none is under way in this process.
  package func progress(of model: CatalogueModel, in store: WeightStore) -> DownloadProgress? {
    guard let place = store.place(of: model) else { return nil }
    return state.withLock { $0.running[place]?.latest }
  }

  /// Downloads a model's file into the store, unless it is there.
  ///
  /// Where the same file is being downloaded, joins in: by this process, the download is shared,
  /// and goes on until the last caller has cancelled; by another, this one waits for it.
  ///
  /// - Parameters:
  ///   - model: A model of the store.
  ///   - store: Where the file goes.
  ///   - patience: How long to try.
  ///   - progress: Called often, from any thread.
  /// - Returns: The file.
  /// - Throws: ``WeightStoreError``.
  package func download(
    _ model: CatalogueModel, into store: WeightStore, patience: DownloadPatience,
    progress: @escaping @Sendable (DownloadProgress) -> Void
  ) async throws(WeightStoreError) -> URL {
    guard case .download(let address, let fileName) = model.source else {
      throw .notDownloadable(model: model.name)
    }
    if let file = store.locate(model) { return file }
    let place = store.folder.appendingPathComponent(fileName)
    let caller = state.withLock { $0.makeNumber() }
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let waiting = Waiting(continuation: continuation, progress: progress)
          let download = FileDownload(
            store: store, model: model, address: address, place: place, patience: patience)
          if Task.isCancelled {
            continuation.resume(throwing: WeightStoreError.cancelled)
          } else {
            join(download, as: caller, waiting)
          }
        }
      } onCancel: {
        leave(place, as: caller)
      }
    } catch let error as WeightStoreError {
      throw error
    } catch {
      preconditionFailure("a download fails with a WeightStoreError, not \(error)")
    }
  }

  private func join(_ download: FileDownload, as caller: Int, _ waiting: Waiting) {
    let place = download.place
    let latest = state.withLock { state -> DownloadProgress? in
      if let running = state.running[place] {
        state.running[place]?.waiting[caller] = waiting
        return running.latest
      }
      let number = state.makeNumber()
      var running = Running(
        number: number,
        latest: DownloadProgress(phase: .receiving, received: 0, total: download.model.size))
      running.waiting[caller] = waiting
      running.task = Task.detached { [self] in
        let result: Result<URL, any Error>
        do throws(WeightStoreError) {
          var download = download
          download.progress = { [self] in report($0, of: place, number: number) }
          result = .success(try await download.run())
        } catch {
          result = .failure(error)
        }
        end(place, number: number, result)
      }
      state.running[place] = running
      return nil
    }
    // Who joins late learns at once how far it is.
    if let latest { waiting.progress(latest) }
  }

  private func report(_ progress: DownloadProgress, of place: URL, number: Int) {
    let receivers = state.withLock { state in
      guard state.running[place]?.number == number else { return [Waiting]() }
      state.running[place]?.latest = progress
      return Array(state.running[place]?.waiting.values ?? [:].values)
    }
    for receiver in receivers { receiver.progress(progress) }
  }

  private func end(_ place: URL, number: Int, _ result: Result<URL, any Error>) {
    let receivers = state.withLock { state in
      guard state.running[place]?.number == number else { return [Waiting]() }
      let running = state.running.removeValue(forKey: place)
      return Array(running?.waiting.values ?? [:].values)
    }
    for receiver in receivers { receiver.continuation.resume(with: result) }
  }

  private func leave(_ place: URL, as caller: Int) {
    let left = state.withLock { state -> Waiting? in
      let waiting = state.running[place]?.waiting.removeValue(forKey: caller)
      if waiting != nil, state.running[place]?.waiting.isEmpty == true {
        // Whoever comes now begins anew, and waits until this one has let go of the file.
        state.running.removeValue(forKey: place)?.task?.cancel()
      }
      return waiting
    }
    left?.continuation.resume(throwing: WeightStoreError.cancelled)
  }
}

extension WeightStore {
  /// Downloads a model's file, unless it is there; callers that want the same file share one download.
  ///
  /// - Parameters:
  ///   - model: A model of this store.
  ///   - progress: Called often, from any thread.
  /// - Returns: The file.
  /// - Throws: ``WeightStoreError``. What came before a lost connection or a cancellation is kept,
  ///   and the next call goes on from there.
  package func download(
    _ model: CatalogueModel, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws(WeightStoreError) -> URL {
    try await Downloads.shared.download(
      model, into: self, patience: DownloadPatience(), progress: progress)
  }
}
