/// One command of `samswift`: what its command line looks like, and what it does.
///
/// To add a command, write one file in `Commands/` and add one line to ``SamCommandLine/commands``.
package protocol Command: Sendable {
  /// The command's name, arguments, options and help.
  static var specification: CommandSpecification { get }

  /// Reads the arguments; nothing is opened or computed yet.
  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Does the work: the result to the environment's output, the talk to its errors.
  ///
  /// - Throws: ``UsageError`` for an argument that turns out to be wrong (exit 64); any other error
  ///   is a failure (exit 1), and its description is what the user reads.
  func run(in environment: CommandEnvironment) async throws
}

/// What one command accepts, and the words of its help.
package struct CommandSpecification: Sendable {
  /// The word that calls it.
  package let name: String
  /// One sentence, for the list of commands and the head of the help.
  package let summary: String
  /// Whatever else has to be said, in paragraphs; they are wrapped for the screen.
  package let discussion: [String]
  /// Arguments without a name, in order; all are required.
  package let arguments: [Argument]
  /// Options, in the groups that the help shows.
  package let options: [OptionGroup]
  /// Command lines that work as they stand.
  package let examples: [Example]

  package init(
    name: String, summary: String, discussion: [String] = [], arguments: [Argument] = [],
    options: [OptionGroup] = [], examples: [Example] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.examples = examples
  }

  /// An argument without a name, such as a file.
  package struct Argument: Sendable {
    /// How the help calls it, in capitals.
    package let name: String
    package let help: String

    package init(_ name: String, _ help: String) {
      self.name = name
      self.help = help
    }
  }

  /// Options under one heading of the help.
  package struct OptionGroup: Sendable {
    package let title: String
    package let options: [Option]

    package init(_ title: String, _ options: [Option]) {
      self.title = title
      self.options = options
    }
  }

  /// A command line and what it does.
  package struct Example: Sendable {
    package let purpose: String
    package let line: String
    /// Whether it asks something of the world outside; every other example is run by the tests.
    package let needsNetwork: Bool

    package init(_ purpose: String, _ line: String, needsNetwork: Bool = false) {
      self.purpose = purpose
      self.line = line
      self.needsNetwork = needsNetwork
    }
  }
}

/// A line of the list of commands.
package enum CommandEntry: Sendable {
  /// `samswift NAME …`
  case command(any Command.Type)
  /// `samswift GROUP NAME …`
  case group(name: String, summary: String, commands: [any Command.Type])

  var name: String {
    switch self {
    case .command(let command): command.specification.name
    case .group(let name, _, _): name
    }
  }

  var summary: String {
    switch self {
    case .command(let command): command.specification.summary
    case .group(_, let summary, _): summary
    }
  }
}
