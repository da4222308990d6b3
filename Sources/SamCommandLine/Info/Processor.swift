import Foundation

/// The CPU as the kernel describes it.
struct Processor: Sendable {
  /// Instruction sets that make a difference here, in the names of /proc/cpuinfo.
  private static let interesting = [
    "sse4_2", "avx", "fma", "avx2", "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512_bf16",
    "avx512_vnni", "amx_bf16", "asimd", "asimdhp", "bf16", "sve",
  ]

  let name: String
  let features: [String]

  init() {
    let description = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    var values: [Substring: Substring] = [:]
    for line in description.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let key = line[..<colon].prefix { $0 != "\t" }
      if values[key] == nil { values[key] = line[colon...].dropFirst(2) }
    }
    name = String(values["model name"] ?? "unknown")
    let flags = Set((values["flags"] ?? values["Features"] ?? "").split(separator: " "))
    features = Self.interesting.filter { flags.contains(Substring($0)) }
  }
}
