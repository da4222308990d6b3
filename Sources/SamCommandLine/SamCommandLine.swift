/// The `samswift` command, callable from any process.
package enum SamCommandLine {
  /// The version that `--version` prints.
  package static let version = "0.1.0"

  /// Every command; the help lists them in this order.
  static let commands: [CommandEntry] = [
    .command(SegmentCommand.self),
    .command(LiftCommand.self),
    .command(EverythingCommand.self),
    .command(BatchCommand.self),
    .command(EmbedCommand.self),
    .command(EvalCommand.self),
    .command(InfoCommand.self),
    .group(
      name: "weights", summary: "Fetch, convert and look into the weights of models.",
      commands: [
        WeightsListCommand.self, WeightsDownloadCommand.self, WeightsConvertCommand.self,
        WeightsVerifyCommand.self, WeightsPathCommand.self, WeightsInspectCommand.self,
      ]),
  ]

  /// The words that lead to every command and group, for tests of what holds for all of them.
  package static var commandPaths: [[String]] {
    commands.flatMap { entry -> [[String]] in
      switch entry {
      case .command: [[entry.name]]
      case .group(let name, _, let types):
        [[name]] + types.map { [name, $0.specification.name] }
      }
    }
  }

  /// Every command.
  package static var commandTypes: [any Command.Type] {
    commands.flatMap { entry -> [any Command.Type] in
      switch entry {
      case .command(let type): [type]
      case .group(_, _, let types): types
      }
    }
  }

  /// Runs one command line.
  ///
  /// - Parameters:
  ///   - arguments: The words after the program's name.
  ///   - environment: Where it runs.
  /// - Returns: The exit code: 0, 1 for a failure, 64 for wrong usage.
  package static func run(
    arguments: [String], environment: CommandEnvironment
  ) async -> Int32 {
    do {
      switch try find(arguments) {
      case .text(let text):
        try environment.output.write(text)
      case .command(let type, let path, let words):
        try await run(type, path: path, words: words, environment: environment)
      }
      return 0
    } catch let error as UsageFailure {
      environment.say("error: \(error.error)")
      environment.say(error.usage)
      environment.say("See '\(error.help)' for what it takes.")
      return 64
    } catch FileError.closedPipe {
      return 1
    } catch {
      environment.say("error: \(error)")
      return 1
    }
  }

  private enum Found {
    case text(String)
    case command(any Command.Type, path: String, words: [String])
  }

  /// A wrong command line, with the two lines that say where to look.
  private struct UsageFailure: Error {
    let error: UsageError
    let usage: String
    let help: String
  }

  private static func run(
    _ type: any Command.Type, path: String, words: [String], environment: CommandEnvironment
  ) async throws {
    do {
      let parsed = try ArgumentParser(type.specification).parse(words)
      try await type.init(parsed).run(in: environment)
    } catch let error as UsageError {
      throw UsageFailure(
        error: error, usage: HelpText.usage(type.specification, path: path),
        help: "samswift \(path) --help")
    }
  }

  private static func find(_ arguments: [String]) throws(UsageFailure) -> Found {
    let usage = "Usage: samswift COMMAND"
    let names = commands.map(\.name)
    var words = arguments[...]
    // `samswift help X Y` is `samswift X Y --help`.
    if words.first == "help" { words = words.dropFirst() + ["--help"] }
    guard let word = words.popFirst() else {
      throw UsageFailure(
        error: .missingCommand(of: names), usage: usage, help: "samswift --help")
    }
    if word == "--help" || word == "-h" { return .text(HelpText.top(commands)) }
    if word == "--version" { return .text("samswift \(version)\n") }
    guard let entry = commands.first(where: { $0.name == word }) else {
      let error: UsageError =
        word.hasPrefix("-")
        ? .unknownOption(
          word,
          suggestion: closest(to: String(word.drop { $0 == "-" }), among: ["help", "version"])
            .map { "--" + $0 })
        : .unknownCommand(word, of: names)
      throw UsageFailure(error: error, usage: usage, help: "samswift --help")
    }
    switch entry {
    case .command(let type):
      return describe(type, path: word, words: Array(words))
    case .group(let name, let summary, let types):
      return try find(in: types, of: name, summary: summary, words: words)
    }
  }

  private static func find(
    in types: [any Command.Type], of group: String, summary: String, words: ArraySlice<String>
  ) throws(UsageFailure) -> Found {
    let names = types.map { $0.specification.name }
    let failure: (UsageError) -> UsageFailure = { error in
      UsageFailure(
        error: error, usage: "Usage: samswift \(group) COMMAND",
        help: "samswift \(group) --help")
    }
    guard let word = words.first else { throw failure(.missingCommand(of: names)) }
    if word == "--help" || word == "-h" {
      return .text(HelpText.group(group, summary: summary, commands: types))
    }
    guard let type = types.first(where: { $0.specification.name == word }) else {
      throw failure(.unknownCommand(word, of: names))
    }
    return describe(type, path: "\(group) \(word)", words: Array(words.dropFirst()))
  }

  private static func describe(
    _ type: any Command.Type, path: String, words: [String]
  ) -> Found {
    if ArgumentParser.asksForHelp(words) {
      return .text(HelpText.command(type.specification, path: path))
    }
    return .command(type, path: path, words: words)
  }
}
