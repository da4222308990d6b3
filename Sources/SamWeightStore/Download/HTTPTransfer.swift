import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One HTTP request whose body is handed on as it comes.
///
/// URLSession follows redirects and takes the proxies that the environment names.
final class HTTPTransfer: NSObject, URLSessionDataDelegate, Sendable {
  /// Looks at the answer's status and headers; what it throws ends the transfer.
  private let onResponse: @Sendable (HTTPURLResponse) throws(WeightStoreError) -> Void
  /// Takes the next bytes, in order; the next ones wait until it returns.
  private let onData: @Sendable (Data) throws(WeightStoreError) -> Void
  private let address: String
  private let state = Mutex(State())

  private struct State {
    /// Who waits for the end; nil before the start and after the end.
    var continuation: CheckedContinuation<Void, any Error>?
  }

  init(
    address: String,
    onResponse: @escaping @Sendable (HTTPURLResponse) throws(WeightStoreError) -> Void,
    onData: @escaping @Sendable (Data) throws(WeightStoreError) -> Void
  ) {
    self.address = address
    self.onResponse = onResponse
    self.onData = onData
  }

  /// Runs the transfer to its end.
  ///
  /// - Parameters:
  ///   - offset: Where to begin; 0 asks for the whole without a range.
  ///   - stall: Seconds without a byte after which the connection counts as lost.
  /// - Throws: ``WeightStoreError``: what the receivers threw, `unreachable` or `cancelled`.
  func run(from offset: Int, stall: TimeInterval) async throws(WeightStoreError) {
    guard let url = URL(string: address), url.host != nil else {
      throw .unreachable(address: address, reason: "it is not a web address")
    }
    var request = URLRequest(url: url)
    request.setValue("samswift", forHTTPHeaderField: "User-Agent")
    // The bytes are counted and resumed, so they must come as they are.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if offset > 0 { request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = stall
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let task = session.dataTask(with: request)
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          state.withLock { $0.continuation = continuation }
          if Task.isCancelled {
            finish(throwing: WeightStoreError.cancelled)
          } else {
            task.resume()
          }
        }
      } onCancel: {
        finish(throwing: WeightStoreError.cancelled)
        task.cancel()
      }
    } catch let error as WeightStoreError {
      throw error
    } catch {
      throw .unreachable(address: address, reason: Self.reason(error))
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    do throws(WeightStoreError) {
      guard let response = response as? HTTPURLResponse else {
        throw .unreachable(address: address, reason: "the answer is not HTTP")
      }
      try onResponse(response)
      completionHandler(.allow)
    } catch {
      finish(throwing: error)
      completionHandler(.cancel)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // A transfer that is over may still have data under way.
    guard state.withLock({ $0.continuation != nil }) else { return }
    do throws(WeightStoreError) {
      try onData(data)
    } catch {
      finish(throwing: error)
      dataTask.cancel()
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    finish(throwing: error)
  }

  /// Ends the transfer, with success where there is no error; the first call counts.
  private func finish(throwing error: (any Error)?) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    if let error {
      continuation?.resume(throwing: error)
    } else {
      continuation?.resume()
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? URLError)?.code {
    case .timedOut?: "it takes too long"
    case .cannotFindHost?: "the server's name is not known"
    case .cannotConnectToHost?: "the server cannot be reached"
    case .networkConnectionLost?: "the connection was lost"
    default: error.localizedDescription
    }
  }
}
