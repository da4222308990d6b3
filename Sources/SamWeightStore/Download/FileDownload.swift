import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches one model's file into the store.
///
/// The bytes go to a `.partial` file, which gets the model's name once length and SHA-256 are right.
/// A lost connection is taken up where it ended, in the same call and in later ones.
struct FileDownload: Sendable {
  let store: WeightStore
  let model: CatalogueModel
  let address: String
  let place: URL

  var patience = DownloadPatience()
  /// Called often, from any thread, one call after the other.
  var progress: @Sendable (DownloadProgress) -> Void = { _ in }

  /// Downloads, or waits while another process does.
  ///
  /// - Returns: The file.
  func run() async throws(WeightStoreError) -> URL {
    do {
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw .unwritable(
        path: place.deletingLastPathComponent().path, reason: error.localizedDescription)
    }
    let part = try await lockedPart()
    defer {
      if part.size == 0 { part.remove() }
      part.close()
    }
    // Another process may have finished it while this one waited.
    if store.locate(model) != nil {
      part.remove()
      return place
    }
    try await receive(into: part)
    report(.checking, model.size)
    do {
      try store.checkBytes(of: part.path, against: model, shownAs: address)
    } catch {
      // Bytes that are wrong are of no use to a later call.
      part.remove()
      throw error
    }
    try part.rename(to: place)
    return place
  }

  private func report(_ phase: DownloadProgress.Phase, _ received: Int) {
    progress(DownloadProgress(phase: phase, received: received, total: model.size))
  }

  private func lockedPart() async throws(WeightStoreError) -> PartialFile {
    while true {
      if let part = try PartialFile(beside: place) { return part }
      report(.waiting, (try? fileSize(place.path + ".partial")) ?? 0)
      try await pause(patience.poll)
    }
  }

  private func pause(_ seconds: Double) async throws(WeightStoreError) {
    do {
      try await Task.sleep(for: .seconds(seconds))
    } catch {
      throw .cancelled
    }
  }

  private func receive(into part: PartialFile) async throws(WeightStoreError) {
    if part.size > model.size { try part.empty() }
    var attempt = 0
    while part.size < model.size {
      if Task.isCancelled { throw .cancelled }
      attempt += 1
      let before = part.size
      let lost: String
      do {
        try await receiveOnce(into: part)
        lost = "the server closed it"
      } catch .unreachable(let address, let reason) {
        // Where nothing ever came, trying again would only keep the user waiting.
        if part.size == 0, before == 0 { throw .unreachable(address: address, reason: reason) }
        lost = reason
      }
      guard part.size < model.size else { return }
      guard attempt < patience.attempts else {
        throw .interrupted(
          address: address, received: part.size, expected: model.size, reason: lost)
      }
      try await pause(patience.pause)
    }
  }

  private func receiveOnce(into part: PartialFile) async throws(WeightStoreError) {
    report(.receiving, part.size)
    let transfer = HTTPTransfer(
      address: address,
      onResponse: { response throws(WeightStoreError) in try accept(response, into: part) },
      onData: { data throws(WeightStoreError) in
        let size = part.size + data.count
        guard size <= model.size else {
          try part.empty()
          throw .wrongLength(source: address, expected: model.size, actual: size)
        }
        report(.receiving, try part.append(data))
      })
    try await transfer.run(from: part.size, stall: patience.stall)
  }

  /// Refuses an answer that is not the file, or the part of it that was asked for.
  private func accept(
    _ response: HTTPURLResponse, into part: PartialFile
  ) throws(WeightStoreError) {
    let begin = part.size
    switch response.statusCode {
    case 200:
      // Asked for a range or not, the whole file comes.
      let length = Int(response.expectedContentLength)
      guard length < 0 || length == model.size else {
        throw .wrongLength(source: address, expected: model.size, actual: length)
      }
      if begin > 0 { try part.empty() }
    case 206 where begin > 0:
      guard let range = ContentRange(response.value(forHTTPHeaderField: "Content-Range") ?? ""),
        range.first == begin
      else {
        try part.empty()
        throw .unreachable(address: address, reason: "it sent another part than was asked for")
      }
      if let total = range.total, total != model.size {
        throw .wrongLength(source: address, expected: model.size, actual: total)
      }
    case 416 where begin > 0:
      // The server has no such part; the next connection asks for the whole.
      try part.empty()
      throw .unreachable(address: address, reason: "it refused to send the rest")
    default:
      throw .badStatus(address: address, status: response.statusCode)
    }
  }
}

/// The header `Content-Range: bytes FIRST-LAST/TOTAL`, in which the total may be `*`.
struct ContentRange: Equatable {
  let first: Int
  let total: Int?

  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /bytes +([0-9]+)-[0-9]+\/([0-9]+|\*)/.ignoresCase()),
      let first = Int(match.1)
    else { return nil }
    self.first = first
    total = Int(match.2)
  }
}
