import CSamShims.Memory
import Foundation

extension SamCommandLine {
  /// Runs the command line that this process was started with.
  ///
  /// - Returns: The exit code, as ``run(arguments:environment:)`` gives it.
  package static func runProcess() async -> Int32 {
    // By itself glibc keeps freed planes of pixels, up to 32 MB each, once it has seen one go, and the
    // holes between them stay: a seventh of the peak when an object of 12 megapixels is animated.
    samReturnPieces(8 << 20)
    let environment = CommandEnvironment.ofProcess()
    do {
      let words = try words(ofProcess: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
      return await run(arguments: words, environment: environment)
    } catch {
      environment.say("error: \(error)")
      return 64
    }
  }

  /// The words after the program's name.
  ///
  /// `CommandLine.arguments` would put U+FFFD in the place of other bytes, and another file's name
  /// would come of it.
  private static func words(
    ofProcess arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int
  ) throws(UsageError) -> [String] {
    var words: [String] = []
    for argument in UnsafeBufferPointer(start: arguments, count: count).dropFirst() {
      guard let argument else { break }
      guard let word = String(validatingCString: argument) else {
        throw .notUnicode(String(cString: argument))
      }
      words.append(word)
    }
    return words
  }

  /// Takes the places of standard streams that the caller closed.
  ///
  /// Otherwise a file that is opened later gets the number, and the talk with it. Reading and writing
  /// still fail, as on a closed stream. To be called before anything opens a descriptor.
  package static func holdStandardStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one: those below it are open.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
