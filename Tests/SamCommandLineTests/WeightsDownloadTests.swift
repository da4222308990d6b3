import Foundation
import SamCommandLine
import SamTestSupport
import SamWeightStore
import Testing

struct WeightsDownloadTests {
  /// What stands for mobile-sam's weights here.
  private static let bytes = Array(String(repeating: "weights ", count: 5000).utf8)

  private let checksum = "26f03647d02f191f00438da2c542076c462d55dbb3602e768603dc3057bb1ffb"

  private func variables(_ folder: ScratchFolder, address: String) -> [String: String] {
    [
      "SAMSWIFT_HOME": folder.path("store"), "SAMSWIFT_MOBILE_SAM_URL": address,
      "SAMSWIFT_MOBILE_SAM_SIZE": "40000",
      "SAMSWIFT_MOBILE_SAM_SHA256": checksum,
    ]
  }

  @Test func printsWhereTheFileLies() async throws {
    let server = try LoopbackServer { .file(Self.bytes, for: $0) }
    let folder = try ScratchFolder()
    let variables = variables(folder, address: server.address())
    let words = ["weights", "download", "mobile-sam"]
    let run = await CommandRun(words, in: folder, variables: variables)
    #expect(run.code == 0)
    #expect(run.text == folder.path("store/mobile_sam.pt") + "\n")
    #expect(run.errors == "Downloading mobile-sam, 40.0 kB, from \(server.address())\n")
    #expect(try folder.bytes("store/mobile_sam.pt") == Self.bytes)
    let again = await CommandRun(words, in: folder, variables: variables)
    #expect(again.code == 0)
    #expect(again.text == run.text)
    #expect(again.errors == "mobile-sam is there already\n")
    #expect(server.requests.count == 1)
    let verified = await CommandRun(
      ["weights", "verify", "mobile-sam"], in: folder, variables: variables)
    #expect(verified.code == 0)
  }

  @Test func drawsABarOnATerminalAndWipesIt() async throws {
    let server = try LoopbackServer { .file(Self.bytes, for: $0) }
    let folder = try ScratchFolder()
    let run = await CommandRun(
      ["weights", "download", "mobile-sam"], in: folder, onTerminal: true,
      variables: variables(folder, address: server.address()))
    #expect(run.code == 0)
    #expect(run.errors.contains("\r\u{1B}[K[                    ] 0 %  0 bytes of 40.0 kB"))
    #expect(run.errors.contains("[====================] 100 %  checking"))
    #expect(run.errors.hasSuffix("\r\u{1B}[K"))
  }

  @Test func wrongBytesAreAFailureAndLeaveNothing() async throws {
    let server = try LoopbackServer { _ in
      LoopbackServer.Response(body: [UInt8](repeating: 0, count: 40_000))
    }
    let folder = try ScratchFolder()
    let run = await CommandRun(
      ["weights", "download", "mobile-sam"], in: folder,
      variables: variables(folder, address: server.address()))
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("not the expected file: its SHA-256 is "))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("store"))
    #expect(left == [".mobile_sam.pt.lock"])
  }

  @Test func theBundledModelNeedsNoDownload() async throws {
    let folder = try ScratchFolder()
    let run = await CommandRun(["weights", "download", "lite"], in: folder)
    #expect(run.code == 0)
    #expect(run.text.hasSuffix("/samswift_lite.safetensors\n"))
    #expect(run.errors == "lite is part of SamSwift; there is nothing to download\n")
  }

  /// Runs the program itself with these environment variables.
  private func program(_ words: [String], variables: [String: String]) throws -> Process {
    let process = Process()
    process.executableURL = ProcessTests.program
    process.arguments = words
    process.environment = variables
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  @Test func theProxyOfTheEnvironmentIsUsed() throws {
    let proxy = try LoopbackServer { .file(Self.bytes, for: $0) }
    let folder = try ScratchFolder()
    var variables = variables(folder, address: "http://weights.invalid/sam.pt")
    variables["http_proxy"] = "http://127.0.0.1:\(proxy.port)"
    let process = try program(["weights", "download", "mobile-sam"], variables: variables)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(proxy.requests.map(\.path) == ["http://weights.invalid/sam.pt"])
    #expect(try folder.bytes("store/mobile_sam.pt") == Self.bytes)
  }

  @Test func twoProcessesDoOneDownload() throws {
    let server = try LoopbackServer { request in
      // Long enough for the second to come while the first still receives.
      LoopbackServer.Response(body: Self.bytes, atHalf: { Thread.sleep(forTimeInterval: 0.5) })
    }
    let folder = try ScratchFolder()
    let variables = variables(folder, address: server.address())
    let words = ["weights", "download", "mobile-sam"]
    let first = try program(words, variables: variables)
    let second = try program(words, variables: variables)
    first.waitUntilExit()
    second.waitUntilExit()
    #expect(first.terminationStatus == 0)
    #expect(second.terminationStatus == 0)
    #expect(server.requests.count == 1)
    #expect(try folder.bytes("store/mobile_sam.pt") == Self.bytes)
  }

  @Test func aKilledDownloadIsTakenUp() throws {
    let half = 20_000
    let killed = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { request in
      var response = LoopbackServer.Response.file(Self.bytes, for: request)
      if request.rangeStart == nil { response.atHalf = { killed.wait() } }
      return response
    }
    let folder = try ScratchFolder()
    let variables = variables(folder, address: server.address())
    let words = ["weights", "download", "mobile-sam"]
    let first = try program(words, variables: variables)
    let part = folder.path("store/mobile_sam.pt.partial")
    while (try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int) != half,
      first.isRunning
    {
      usleep(1000)
    }
    kill(first.processIdentifier, SIGKILL)
    first.waitUntilExit()
    killed.signal()
    #expect(!FileManager.default.fileExists(atPath: folder.path("store/mobile_sam.pt")))
    let second = try program(words, variables: variables)
    second.waitUntilExit()
    #expect(second.terminationStatus == 0)
    #expect(server.requests.map(\.rangeStart) == [nil, half])
    #expect(try folder.bytes("store/mobile_sam.pt") == Self.bytes)
  }
}

struct DownloadBarTests {
  private func lines(_ steps: [(time: Double, progress: DownloadProgress)]) -> [String] {
    let lines = LineRecorder()
    let bar = DownloadBar { lines.append($0) }
    for step in steps { bar.update(step.progress, at: step.time) }
    return lines.values
  }

  private func received(_ bytes: Int, of total: Int = 40_000_000) -> DownloadProgress {
    DownloadProgress(phase: .receiving, received: bytes, total: total)
  }

  @Test func saysRateAndTimeLeft() {
    let drawn = lines([
      (0, received(0)), (0.2, received(500_000)), (1, received(2_000_000)),
      (2, received(4_000_000)),
    ])
    #expect(
      drawn == [
        "[                    ] 0 %  0 bytes of 40.0 MB",
        "[                    ] 1 %  500.0 kB of 40.0 MB",
        "[=                   ] 5 %  2.0 MB of 40.0 MB  2.0 MB/s  19 s left",
        "[==                  ] 10 %  4.0 MB of 40.0 MB  2.0 MB/s  18 s left",
      ])
  }

  @Test func theRateIsThatOfTheLastSeconds() {
    // Ten seconds at 1 MB/s, then a standstill, after which nothing says how long it takes.
    var steps = (0...80).map { (time: Double($0) / 8, progress: received($0 * 125_000)) }
    steps += (81...160).map { (time: Double($0) / 8, progress: received(10_000_000)) }
    let drawn = lines(steps)
    #expect(drawn[80].hasSuffix("10.0 MB of 40.0 MB  1.0 MB/s  30 s left"))
    #expect(drawn.last?.hasSuffix("10.0 MB of 40.0 MB  0 bytes/s") == true)
  }

  @Test func isRedrawnTenTimesASecondAtMost() {
    let drawn = lines((0..<1000).map { (time: Double($0) / 1000, progress: received($0)) })
    #expect(drawn.count == 10)
  }

  @Test func whatWasThereBeforeDoesNotCountAsFast() {
    let drawn = lines([(0, received(30_000_000)), (1, received(30_100_000))])
    #expect(drawn.last?.hasSuffix("100.0 kB/s  1 min 39 s left") == true)
  }

  @Test func namesTheOtherPhases() {
    let waiting = DownloadProgress(phase: .waiting, received: 5, total: 10)
    let checking = DownloadProgress(phase: .checking, received: 10, total: 10)
    #expect(
      lines([(0, waiting), (1, checking)]) == [
        "[==========          ] 50 %  another process is downloading it",
        "[====================] 100 %  checking",
      ])
  }
}

/// Keeps lines.
private final class LineRecorder: Sendable {
  private let sink = MemorySink()

  func append(_ line: String) { try? sink.write(Array((line + "\n").utf8)) }

  var values: [String] {
    String(decoding: sink.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
