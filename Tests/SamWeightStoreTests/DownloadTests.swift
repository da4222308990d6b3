import Foundation
import SamCheckpoint
import SamTestSupport
import SamWeightStore
import Testing

struct DownloadTests {
  @Test func aFileGetsItsNameWhenAllOfItIsThere() async throws {
    let server = try LoopbackServer { .file(SampleFile.bytes, for: $0) }
    let sample = try SampleStore(server.address())
    let progress = Recorder<DownloadProgress>()
    let place = try await sample.download { progress.append($0) }
    #expect(place == sample.place)
    #expect(try sample.content() == SampleFile.bytes)
    #expect(try sample.files() == ["sample.pt"])
    #expect(sample.store.locate(sample.model) == place)
    let seen = progress.values
    #expect(seen.allSatisfy { $0.total == SampleFile.bytes.count })
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.received <= $1.received })
    #expect(seen.first?.received == 0)
    #expect(
      seen.last
        == DownloadProgress(
          phase: .checking, received: SampleFile.bytes.count, total: SampleFile.bytes.count))
    #expect(server.requests.map(\.method) == ["GET"])
    #expect(server.requests[0].headers["accept-encoding"] == "identity")
    #expect(server.requests[0].headers["range"] == nil)
  }

  @Test func whatIsThereIsNotFetched() async throws {
    let server = try LoopbackServer { .file(SampleFile.bytes, for: $0) }
    let sample = try SampleStore(server.address())
    try Data(SampleFile.bytes).write(to: sample.place)
    #expect(try await sample.download() == sample.place)
    #expect(server.requests.isEmpty)
  }

  @Test func aFileOfTheWrongLengthIsReplaced() async throws {
    let server = try LoopbackServer { .file(SampleFile.bytes, for: $0) }
    let sample = try SampleStore(server.address())
    try Data([1, 2, 3]).write(to: sample.place)
    _ = try await sample.download()
    #expect(try sample.content() == SampleFile.bytes)
  }

  @Test(
    .enabled(
      if: ReferenceFolder.url("mobile_sam_synthetic.pt") != nil, "needs ../shared/reference"))
  func fetchesAWholeCheckpointOverLostConnections() async throws {
    let file = try #require(ReferenceFolder.url("mobile_sam_synthetic.pt"))
    let bytes = [UInt8](try Data(contentsOf: file))
    let server = try LoopbackServer { request in
      var response = LoopbackServer.Response.file(bytes, for: request)
      response.cutAfter = 15_000_000
      return response
    }
    let folder = try TemporaryFolder()
    let model = CatalogueModel(
      name: "mobile-sam", summary: "", licence: "", size: bytes.count,
      checksum: "cfd71c067978c937054bd874124584c76e097e4b0a082b9171aab97bec07c2be",
      source: .download(address: server.address(), fileName: "mobile_sam.pt"))
    let store = WeightStore(folder: folder.url, models: [model])
    var patience = DownloadPatience()
    patience.pause = 0.01
    let place = try await Downloads().download(
      model, into: store, patience: patience, progress: { _ in })
    #expect(server.requests.map(\.rangeStart) == [nil, 15_000_000, 30_000_000])
    #expect(try CheckpointFile.open(place).tensors.count == 439)
    try store.verify(model)
  }

  // MARK: Lost connections

  @Test(arguments: [true, false])
  func aLostConnectionIsTakenUpWhereItEnded(announcesLength: Bool) async throws {
    let server = try LoopbackServer { request in
      var response = LoopbackServer.Response.file(SampleFile.bytes, for: request)
      response.cutAfter = 120_000
      response.announcesLength = announcesLength
      return response
    }
    let sample = try SampleStore(server.address())
    _ = try await sample.download()
    #expect(try sample.content() == SampleFile.bytes)
    #expect(server.requests.map(\.rangeStart) == [nil, 120_000, 240_000])
  }

  @Test func afterTooManyLossesThePartStaysForTheNextCall() async throws {
    let server = try LoopbackServer { request in
      var response = LoopbackServer.Response.file(SampleFile.bytes, for: request)
      response.cutAfter = 100_000
      return response
    }
    var sample = try SampleStore(server.address())
    sample.patience.attempts = 2
    let error = await #expect(throws: WeightStoreError.self) { try await sample.download() }
    guard case .interrupted(server.address(), 200_000, SampleFile.bytes.count, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try sample.files() == ["sample.pt.partial"])
    #expect(sample.store.locate(sample.model) == nil)
    _ = try await sample.download()
    #expect(server.requests.map(\.rangeStart) == [nil, 100_000, 200_000])
    #expect(try sample.content() == SampleFile.bytes)
    #expect(try sample.files() == ["sample.pt"])
  }

  @Test func aServerThatRefusesRangesSendsTheWholeAgain() async throws {
    let server = try LoopbackServer { request in
      LoopbackServer.Response(
        body: SampleFile.bytes, cutAfter: request.rangeStart == nil ? 100_000 : nil)
    }
    let sample = try SampleStore(server.address())
    _ = try await sample.download()
    #expect(server.requests.map(\.rangeStart) == [nil, 100_000])
    #expect(try sample.content() == SampleFile.bytes)
  }

  @Test func aServerThatAnswersRangesWithAnErrorIsAskedForTheWhole() async throws {
    let server = try LoopbackServer { request in
      request.rangeStart == nil
        ? LoopbackServer.Response(body: SampleFile.bytes) : LoopbackServer.Response(status: 416)
    }
    let sample = try SampleStore(server.address())
    try Data(SampleFile.bytes.prefix(5000)).write(to: sample.part)
    _ = try await sample.download()
    #expect(server.requests.map(\.rangeStart) == [5000, nil])
    #expect(try sample.content() == SampleFile.bytes)
  }

  @Test func anotherPartThanAskedForIsNotTaken() async throws {
    let server = try LoopbackServer { request in
      guard request.rangeStart != nil else { return .file(SampleFile.bytes, for: request) }
      return LoopbackServer.Response(
        status: 206, headers: [("Content-Range", "bytes 0-299999/300000")], body: SampleFile.bytes)
    }
    let sample = try SampleStore(server.address())
    try Data(SampleFile.bytes.prefix(5000)).write(to: sample.part)
    _ = try await sample.download()
    #expect(server.requests.map(\.rangeStart) == [5000, nil])
    #expect(try sample.content() == SampleFile.bytes)
  }

  @Test func aCompletePartIsCheckedWithoutAConnection() async throws {
    let server = try LoopbackServer { .file(SampleFile.bytes, for: $0) }
    let sample = try SampleStore(server.address())
    try Data(SampleFile.bytes).write(to: sample.part)
    _ = try await sample.download()
    #expect(server.requests.isEmpty)
    #expect(try sample.files() == ["sample.pt"])
  }

  // MARK: Wrong answers

  private func failure(
    attempts: Int = 1,
    answer: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Response
  ) async throws -> (error: WeightStoreError?, address: String, files: [String]) {
    let server = try LoopbackServer(answer)
    var sample = try SampleStore(server.address())
    sample.patience.attempts = attempts
    do throws(WeightStoreError) {
      _ = try await sample.download()
    } catch {
      return (error, server.address(), try sample.files())
    }
    return (nil, server.address(), try sample.files())
  }

  @Test(arguments: [299_999, 300_001])
  func anAnnouncedWrongLengthIsRefusedAtOnce(length: Int) async throws {
    let (error, address, files) = try await failure { _ in
      LoopbackServer.Response(body: [UInt8](repeating: 0, count: length))
    }
    #expect(error == .wrongLength(source: address, expected: 300_000, actual: length))
    #expect(files == [])
  }

  @Test func bytesBeyondTheEndAreRefused() async throws {
    let (error, _, files) = try await failure { _ in
      LoopbackServer.Response(body: SampleFile.bytes + [0], announcesLength: false)
    }
    guard case .wrongLength(_, 300_000, let actual)? = error, actual > 300_000 else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(files == [])
  }

  @Test func aShorterFileLooksLikeALostConnection() async throws {
    let (error, address, files) = try await failure { request in
      LoopbackServer.Response(
        body: [UInt8](SampleFile.bytes.prefix(299_999)), announcesLength: false)
    }
    #expect(
      error
        == .interrupted(
          address: address, received: 299_999, expected: 300_000, reason: "the server closed it"))
    #expect(files == ["sample.pt.partial"])
  }

  @Test func wrongBytesAreThrownAway() async throws {
    var bytes = SampleFile.bytes
    bytes[150_000] ^= 1
    let wrong = bytes
    let (error, address, files) = try await failure { .file(wrong, for: $0) }
    guard case .wrongChecksum(address, SampleFile.checksum, let actual)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(actual != SampleFile.checksum)
    #expect(files == [])
  }

  @Test(arguments: [400, 403, 404, 407, 429, 500, 503])
  func anErrorOfTheServerIsNamed(status: Int) async throws {
    let (error, address, files) = try await failure { _ in
      LoopbackServer.Response(status: status, body: Array("<html>".utf8))
    }
    #expect(error == .badStatus(address: address, status: status))
    #expect(files == [])
  }

  @Test func aServerThatIsNotThereIsNamed() async throws {
    let address = try LoopbackServer { _ in LoopbackServer.Response() }.address()
    let sample = try SampleStore(address)
    let error = await #expect(throws: WeightStoreError.self) { try await sample.download() }
    #expect(
      error == .unreachable(address: address, reason: "the server cannot be reached"))
    #expect(try sample.files() == [])
  }

  @Test func aConnectionThatIsSilentCountsAsLost() async throws {
    let gate = Gate()
    defer { gate.open() }
    let server = try LoopbackServer { request in
      LoopbackServer.Response(body: SampleFile.bytes, atHalf: { gate.pass() })
    }
    var sample = try SampleStore(server.address())
    sample.patience.attempts = 1
    sample.patience.stall = 1
    let error = await #expect(throws: WeightStoreError.self) { try await sample.download() }
    #expect(
      error
        == .interrupted(
          address: server.address(), received: 150_000, expected: 300_000,
          reason: "it takes too long"))
  }

  @Test func redirectsAreFollowedAndKeepTheRange() async throws {
    let server = try LoopbackServer { request in
      switch request.path {
      case "/weights.bin":
        return LoopbackServer.Response(status: 302, headers: [("Location", "/elsewhere")])
      case "/elsewhere":
        return LoopbackServer.Response(status: 301, headers: [("Location", "/there.bin")])
      default:
        var response = LoopbackServer.Response.file(SampleFile.bytes, for: request)
        response.cutAfter = 200_000
        return response
      }
    }
    let sample = try SampleStore(server.address())
    _ = try await sample.download()
    #expect(try sample.content() == SampleFile.bytes)
    #expect(
      server.requests.map(\.path) == [
        "/weights.bin", "/elsewhere", "/there.bin", "/weights.bin", "/elsewhere", "/there.bin",
      ])
    #expect(server.requests.last?.rangeStart == 200_000)
  }

  @Test func redirectsInACircleEnd() async throws {
    let (error, _, files) = try await failure { _ in
      LoopbackServer.Response(status: 302, headers: [("Location", "/weights.bin")])
    }
    #expect(error != nil)
    #expect(files == [])
  }

  @Test func aStoreThatCannotBeMadeIsNamed() async throws {
    let server = try LoopbackServer { .file(SampleFile.bytes, for: $0) }
    let folder = try TemporaryFolder()
    let file = try folder.write([1], as: "file")
    let model = SampleFile.model(server.address())
    let store = WeightStore(folder: file, models: [model])
    let error = await #expect(throws: WeightStoreError.self) {
      try await Downloads().download(
        model, into: store, patience: DownloadPatience(), progress: { _ in })
    }
    guard case .unwritable(file.path, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(server.requests.isEmpty)
  }

  @Test func aBundledModelIsNotDownloaded() async throws {
    let sample = try SampleStore("http://127.0.0.1:1/")
    await #expect(throws: WeightStoreError.notDownloadable(model: "lite")) {
      try await sample.store.download(.lite)
    }
  }
}
