import Foundation
import SamTensor

/// What a figure depends on beside the code.
struct BenchEnvironment: Codable, CustomStringConvertible {
  let commit: String
  let cpu: String
  let cores: Int
  let kernels: String
  let availableKernels: [String]
  let hasBFloat16: Bool
  let openBLAS: String
  let openBLASCore: String
  let openBLASVariables: [String: String]
  /// Of one thread in float32, measured on a product that stays in the first-level cache.
  let peakGFLOPS: Double
  let isQuick: Bool

  init(isQuick: Bool) {
    commit = Self.run("/usr/bin/env", ["git", "describe", "--always", "--dirty"]) ?? "unknown"
    cpu = Self.cpuName
    cores = Parallel.coreCount
    kernels = Kernels.current.name
    availableKernels = Kernels.available
    hasBFloat16 = Kernels.bfloat16(Kernels.current) != nil
    openBLAS = OpenBLASLibrary.shared?.configuration ?? "not installed"
    openBLASCore = OpenBLASLibrary.shared?.coreName ?? "none"
    openBLASVariables = ProcessInfo.processInfo.environment.filter {
      $0.key.hasPrefix("OPENBLAS_")
    }
    peakGFLOPS = KernelBenchmarks.peak(isQuick: isQuick)
    self.isQuick = isQuick
  }

  var description: String {
    """
    commit    \(commit)
    CPU       \(cpu), \(cores) cores
    kernels   \(kernels) of \(availableKernels.joined(separator: ", ")); bfloat16 \(hasBFloat16 ? "yes" : "no")
    OpenBLAS  \(openBLAS.trimmingCharacters(in: .whitespaces)), core \(openBLASCore)\(variables)
    peak      \(String(format: "%.0f", peakGFLOPS)) GFLOP/s a thread, float32, measured\(isQuick ? "\nquick     one iteration each: these figures say nothing about speed" : "")

    """
  }

  private var variables: String {
    openBLASVariables.isEmpty
      ? ""
      : "; "
        + openBLASVariables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        .joined(separator: " ")
  }

  private static var cpuName: String {
    let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = info.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
      ?? "unknown"
  }

  private static func run(_ program: String, _ arguments: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
