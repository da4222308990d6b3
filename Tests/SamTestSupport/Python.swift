import Foundation

/// The Python that results are compared with: `SAMSWIFT_PYTHON`, else `python3` on the path.
public enum Python {
  private static let command =
    ProcessInfo.processInfo.environment["SAMSWIFT_PYTHON"] ?? "python3"

  /// Whether a package can be imported; tests that need it are skipped by name where it cannot.
  public static func has(_ package: String) -> Bool {
    (try? run("import \(package)")) != nil
  }

  /// A script that ended with an error.
  public struct Failure: Error, CustomStringConvertible {
    /// What it wrote.
    public let description: String
  }

  /// Runs a script and returns what it printed.
  ///
  /// - Parameters:
  ///   - script: The program's text.
  ///   - arguments: `sys.argv[1:]`.
  /// - Returns: Standard output and standard error together.
  /// - Throws: ``Failure`` where it ended with an error, or what kept Python from starting.
  public static func run(_ script: String, _ arguments: [String] = []) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [command, "-c", script] + arguments
    let output = Pipe()
    process.standardOutput = output
    // In one stream, so that neither can fill up while the other is read.
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(command) ended with code \(process.terminationStatus): \(text)")
    }
    return text
  }
}
