import Foundation
import SamTestSupport
import Testing

/// A wish for kernels that do not exist is answered by every command that computes, once.
struct KernelNoticeTests {
  @Test(
    arguments: [
      ["segment", "cup.png", "--point", "300,180", "-o", "mask.png"],
      ["lift", "cup.png", "--point", "300,180", "-o", "lift.png"],
      ["everything", "cup.png", "--points-per-side", "2", "-o", "all.json"],
      ["embed", "cup.png", "-o", "cup.safetensors"],
      ["eval", "photographs", "--quality", "fast", "--precision", "f32", "--against", "bf16"],
      ["batch"],
    ])
  func isSaidOnce(_ words: [String]) async throws {
    let folder = try ScratchFolder()
    try FileManager.default.copyItem(
      at: TestPhotos.url("coffee.png"), to: URL(fileURLWithPath: folder.path("cup.png")))
    try LabelledPhotograph.write(to: folder)
    let line = #"{"image":"cup.png","points":[[300,180]],"quality":"fast"}"#
    let run = await CommandRun(
      words, in: folder, input: Array("\(line)\n\(line)\n".utf8), kernelNotice: "no such kernels")
    #expect(run.code == 0)
    #expect(run.errors == "note: no such kernels\n")
    #expect(!run.text.contains("no such kernels"))
  }

  @Test func theProcessHearsOfItsOwnWish() throws {
    let process = Process()
    process.executableURL = ProcessTests.program
    process.arguments = [
      "segment", TestPhotos.url("coffee.png").path, "--point", "300,180", "--as", "json",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SAMSWIFT_KERNELS": "nonsense"]
    ) { $1 }
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(said.hasPrefix("note: SAMSWIFT_KERNELS: wanted one of "), "\(said)")
    #expect(said.contains("“nonsense”"))
  }
}
