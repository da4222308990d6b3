import Foundation
import SamTestSupport

/// A script of Tools, run by the Python that `SAMSWIFT_PYTHON` names, else `python3`.
enum PythonTool {
  private static let interpreter =
    ProcessInfo.processInfo.environment["SAMSWIFT_PYTHON"] ?? "python3"
  private static let tools = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Tools")

  struct Output {
    let code: Int32
    let text: String
  }

  /// Whether the interpreter has these packages.
  static func has(_ packages: [String]) -> Bool {
    let imports = "import " + packages.joined(separator: ", ")
    return (try? run(["-c", imports]))?.code == 0
  }

  /// Runs a script to its end; the text is what it wrote to both streams.
  static func run(script: String, _ arguments: [String]) throws -> Output {
    try run([tools.appendingPathComponent(script).path] + arguments)
  }

  private static func run(_ words: [String]) throws -> Output {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [interpreter] + words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Output(code: process.terminationStatus, text: String(decoding: output, as: UTF8.self))
  }
}
