import Foundation
import SamCommandLine
import Synchronization

/// Runs whole command lines in this process, and keeps what they wrote.
struct CommandRun {
  let code: Int32
  let output: [UInt8]
  let errors: String

  /// What went to standard output, as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// Lines that went to standard output.
  var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// - Parameters:
  ///   - words: The arguments after `samswift`.
  ///   - folder: The current directory.
  ///   - input: What standard input holds.
  ///   - onTerminal: Whether both streams are screens.
  ///   - variables: The environment variables.
  ///   - kernelNotice: What there is to say about the wish for certain kernels.
  ///   - other: Where standard output goes instead of being kept.
  init(
    _ words: [String], in folder: ScratchFolder, input: [UInt8] = [], onTerminal: Bool = false,
    variables: [String: String] = [:], kernelNotice: String? = nil,
    output other: (any ByteSink)? = nil
  ) async {
    let output = MemorySink()
    let errors = MemorySink()
    let environment = CommandEnvironment(
      output: other ?? output, errors: errors, outputIsTerminal: onTerminal,
      errorsAreTerminal: onTerminal, currentDirectory: folder.path,
      variables: variables, kernelNotice: { kernelNotice },
      readInput: { () throws(FileError) in input },
      readChunk: InputPieces(input).next)
    code = await SamCommandLine.run(arguments: words, environment: environment)
    self.output = output.bytes
    self.errors = String(decoding: errors.bytes, as: UTF8.self)
  }
}

/// Keeps what is written.
final class MemorySink: ByteSink {
  private let storage = Mutex<[UInt8]>([])

  var bytes: [UInt8] { storage.withLock { $0 } }

  func write(_ bytes: [UInt8]) throws(FileError) {
    storage.withLock { $0 += bytes }
  }
}

/// A pipe that nobody reads any more.
struct ClosedSink: ByteSink {
  func write(_ bytes: [UInt8]) throws(FileError) { throw .closedPipe }
}

/// Standard input that comes in small pieces.
private final class InputPieces: Sendable {
  private let rest: Mutex<ArraySlice<UInt8>>

  init(_ bytes: [UInt8]) {
    rest = Mutex(bytes[...])
  }

  @Sendable func next() throws(FileError) -> [UInt8] {
    rest.withLock { rest in
      let piece = Array(rest.prefix(13))
      rest = rest.dropFirst(13)
      return piece
    }
  }
}
