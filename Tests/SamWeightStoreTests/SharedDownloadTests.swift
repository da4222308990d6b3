import Foundation
import SamTestSupport
import SamWeightStore
import Testing

struct SharedDownloadTests {
  /// A server that sends half of the file, says so, and waits.
  private func halting(_ half: Gate, _ rest: Gate) throws -> LoopbackServer {
    try LoopbackServer { request in
      var response = LoopbackServer.Response.file(SampleFile.bytes, for: request)
      if request.rangeStart == nil {
        response.atHalf = {
          half.open()
          rest.pass()
        }
      }
      return response
    }
  }

  @Test func twoCallersShareOneDownload() async throws {
    let (half, rest) = (Gate(), Gate())
    let server = try halting(half, rest)
    let sample = try SampleStore(server.address())
    let progress = Recorder<DownloadProgress>()
    #expect(sample.downloads.progress(of: sample.model, in: sample.store) == nil)
    async let first = sample.download()
    try await half.passed()
    let joined = Gate()
    async let second = sample.download {
      progress.append($0)
      joined.open()
    }
    try await joined.passed()
    #expect(sample.downloads.progress(of: sample.model, in: sample.store)?.total == 300_000)
    rest.open()
    let places = try await [first, second]
    #expect(places == [sample.place, sample.place])
    #expect(server.requests.count == 1)
    #expect(progress.values.last?.phase == .checking)
    #expect(sample.downloads.progress(of: sample.model, in: sample.store) == nil)
  }

  @Test func theDownloadGoesOnWhenOneOfTwoCallersCancels() async throws {
    let (half, rest) = (Gate(), Gate())
    let server = try halting(half, rest)
    let sample = try SampleStore(server.address())
    let first = Task { try await sample.download() }
    try await half.passed()
    let joined = Gate()
    let second = Task { try await sample.download { _ in joined.open() } }
    try await joined.passed()
    first.cancel()
    await #expect(throws: WeightStoreError.cancelled) { try await first.value }
    rest.open()
    #expect(try await second.value == sample.place)
    #expect(server.requests.count == 1)
  }

  @Test func theLastCallerThatCancelsEndsTheDownloadAndKeepsThePart() async throws {
    let (half, rest) = (Gate(), Gate())
    defer { rest.open() }
    let server = try halting(half, rest)
    let sample = try SampleStore(server.address())
    let heard = Gate()
    let task = Task {
      try await sample.download { if $0.received == 150_000 { heard.open() } }
    }
    try await heard.passed()
    task.cancel()
    await #expect(throws: WeightStoreError.cancelled) { try await task.value }
    #expect(sample.downloads.progress(of: sample.model, in: sample.store) == nil)
    #expect(sample.store.locate(sample.model) == nil)
    // The next call goes on where this one ended.
    #expect(try await sample.download() == sample.place)
    #expect(server.requests.map(\.rangeStart) == [nil, 150_000])
    #expect(try sample.content() == SampleFile.bytes)
  }

  @Test func aTaskCancelledBeforeItsDownloadConnectsToNothing() async throws {
    let server = try LoopbackServer { .file(SampleFile.bytes, for: $0) }
    let sample = try SampleStore(server.address())
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await sample.download()
    }
    task.cancel()
    await #expect(throws: WeightStoreError.cancelled) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  @Test func whatAnotherProcessDownloadsIsWaitedFor() async throws {
    let server = try LoopbackServer { .file(SampleFile.bytes, for: $0) }
    let sample = try SampleStore(server.address())
    // A lock of another open file counts as another process's.
    let lock = open(sample.folder.file(".sample.pt.lock").path, O_RDWR | O_CREAT, 0o666)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    try Data(SampleFile.bytes.prefix(7000)).write(to: sample.part)
    let waiting = Gate()
    let task = Task {
      try await sample.download { progress in
        if progress.phase == .waiting, progress.received == 7000 { waiting.open() }
      }
    }
    try await waiting.passed()
    try Data(SampleFile.bytes).write(to: sample.place)
    close(lock)
    #expect(try await task.value == sample.place)
    #expect(server.requests.isEmpty)
    #expect(try sample.files() == ["sample.pt"])
  }

  @Test func whatAnotherProcessLeftUnfinishedIsFinished() async throws {
    let server = try LoopbackServer { .file(SampleFile.bytes, for: $0) }
    let sample = try SampleStore(server.address())
    let lock = open(sample.folder.file(".sample.pt.lock").path, O_RDWR | O_CREAT, 0o666)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    try Data(SampleFile.bytes.prefix(7000)).write(to: sample.part)
    let waiting = Gate()
    let task = Task {
      try await sample.download { if $0.phase == .waiting { waiting.open() } }
    }
    try await waiting.passed()
    close(lock)
    #expect(try await task.value == sample.place)
    #expect(server.requests.map(\.rangeStart) == [7000])
    #expect(try sample.content() == SampleFile.bytes)
  }
}
