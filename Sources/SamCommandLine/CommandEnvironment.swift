import Foundation
import SamTensor

/// Everything that a command meets outside itself; tests put their own in its place.
package struct CommandEnvironment: Sendable {
  /// Where results go.
  package var output: any ByteSink
  /// Where the talk goes: messages, progress, errors.
  package var errors: any ByteSink
  /// Whether `output` is a screen, which binary results must not reach.
  package var outputIsTerminal: Bool
  /// Whether `errors` is a screen, on which a progress line may be drawn and wiped.
  package var errorsAreTerminal: Bool
  /// What relative paths start from.
  package var currentDirectory: String
  /// The process's environment variables.
  package var variables: [String: String]
  /// Why the wish for certain kernels is not followed, or nil; asked before anything is computed.
  package var kernelNotice: @Sendable () -> String?
  /// Reads all of standard input, for arguments that are `-`.
  package var readInput: @Sendable () throws(FileError) -> [UInt8]
  /// Reads what standard input has next, and nothing at its end, for commands that answer as they read.
  package var readChunk: @Sendable () throws(FileError) -> [UInt8]

  package init(
    output: any ByteSink, errors: any ByteSink, outputIsTerminal: Bool = false,
    errorsAreTerminal: Bool = false, currentDirectory: String, variables: [String: String] = [:],
    kernelNotice: @escaping @Sendable () -> String? = { nil },
    readInput: @escaping @Sendable () throws(FileError) -> [UInt8] = { () throws(FileError) in [] },
    readChunk: @escaping @Sendable () throws(FileError) -> [UInt8] = { () throws(FileError) in [] }
  ) {
    self.output = output
    self.errors = errors
    self.outputIsTerminal = outputIsTerminal
    self.errorsAreTerminal = errorsAreTerminal
    self.currentDirectory = currentDirectory
    self.variables = variables
    self.kernelNotice = kernelNotice
    self.readInput = readInput
    self.readChunk = readChunk
  }

  /// The environment of this process.
  ///
  /// A closed pipe becomes an error of `write`, not a signal.
  package static func ofProcess() -> CommandEnvironment {
    signal(SIGPIPE, SIG_IGN)
    return CommandEnvironment(
      output: DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output"),
      errors: DescriptorSink(descriptor: STDERR_FILENO, name: "standard error"),
      outputIsTerminal: isatty(STDOUT_FILENO) == 1, errorsAreTerminal: isatty(STDERR_FILENO) == 1,
      currentDirectory: FileManager.default.currentDirectoryPath,
      variables: ProcessInfo.processInfo.environment,
      kernelNotice: { Kernels.notice },
      readInput: { () throws(FileError) in
        try readAll(descriptor: STDIN_FILENO, name: "standard input")
      },
      readChunk: { () throws(FileError) in
        try readSome(descriptor: STDIN_FILENO, name: "standard input")
      })
  }

  /// An absolute path for one that the user typed.
  package func path(_ typed: String) -> String {
    if typed.hasPrefix("/") { return typed }
    return currentDirectory.hasSuffix("/")
      ? currentDirectory + typed : currentDirectory + "/" + typed
  }

  /// Says a line to the user.
  ///
  /// What cannot be written is lost: there is nowhere else to say so.
  package func say(_ line: String) {
    try? errors.write(line + "\n")
  }

  /// Says why the wish for certain kernels is not followed, if it is not.
  func sayKernelNotice() {
    if let notice = kernelNotice() { say("note: " + notice) }
  }

  /// Writes a line of the result.
  package func print(_ line: String) throws(FileError) {
    try output.write(line + "\n")
  }
}
