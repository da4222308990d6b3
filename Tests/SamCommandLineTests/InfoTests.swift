import SamCommandLine
import SamTensor
import Testing

struct InfoTests {
  @Test func namesWhatTheMachineComputesWith() async throws {
    let folder = try ScratchFolder()
    let run = await CommandRun(["info"], in: folder, variables: ["SAMSWIFT_HOME": folder.path])
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    let rows = run.lines.map { line in
      (name: String(line.prefix { $0 != " " }), value: String(line.dropFirst(12)))
    }
    let value = { (name: String) in rows.first { $0.name == name }?.value }
    #expect(value("samswift") == SamCommandLine.version)
    #expect(value("kernels")?.hasPrefix(Kernels.current.name) == true)
    #expect(
      value("OpenBLAS")?.contains(OpenBLASLibrary.shared?.coreName ?? "not installed") == true)
    #expect(value("threads") == String(Parallel.coreCount))
    #expect(value("lite")?.hasSuffix("/samswift_lite.safetensors") == true)
    #expect(value("mobile-sam") == "not here: samswift weights download mobile-sam")
    #expect(value("CPU")?.isEmpty == false)
  }

  @Test func aClosedPipeEndsQuietly() async throws {
    let run = await CommandRun(["info"], in: try ScratchFolder(), output: ClosedSink())
    #expect(run.code == 1)
    #expect(run.errors.isEmpty)
  }
}
