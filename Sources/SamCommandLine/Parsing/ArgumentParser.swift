/// Takes a command line apart by a command's specification.
///
/// Options and arguments may come in any order; `--` ends the options, `-` alone is an argument or
/// a value (standard input or output). A value that begins with a dash is taken where it is a number
/// or `-`, and otherwise has to be written `--name=VALUE`.
package struct ArgumentParser {
  package let specification: CommandSpecification
  private let options: [Option]

  package init(_ specification: CommandSpecification) {
    self.specification = specification
    options = specification.options.flatMap(\.options) + [Self.help]
  }

  /// Every command has it.
  static let help = Option.flag("help", letter: "h", "Print this help.")

  package func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
    var occurrences: [ParsedArguments.Occurrence] = []
    var positionals: [String] = []
    var index = 0
    var optionsEnded = false
    while index < words.count {
      let word = words[index]
      index += 1
      if optionsEnded || !Self.looksLikeOption(word) {
        positionals.append(word)
        continue
      }
      if word == "--" {
        optionsEnded = true
        continue
      }
      let (typed, attached) = Self.split(word)
      let option = try find(typed)
      if !option.repeats, occurrences.contains(where: { $0.name == option.name }) {
        throw .repeated(option: option.flag)
      }
      guard let placeholder = option.placeholder else {
        if let attached { throw .unexpectedValue(option: option.flag, value: attached) }
        occurrences.append(.init(name: option.name, value: ""))
        continue
      }
      var value = attached
      if value == nil, index < words.count, !Self.looksLikeOption(words[index]) {
        value = words[index]
        index += 1
      }
      guard let value, !value.isEmpty else {
        throw .missingValue(option: option.flag, placeholder: placeholder)
      }
      occurrences.append(.init(name: option.name, value: value))
    }
    return ParsedArguments(
      occurrences: occurrences, arguments: try name(positionals))
  }

  /// Whether help is asked for: then nothing else on the line is looked at.
  static func asksForHelp(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  private func name(_ positionals: [String]) throws(UsageError) -> [String: String] {
    let wanted = specification.arguments
    if positionals.count < wanted.count {
      throw .missingArgument(wanted[positionals.count].name)
    }
    if positionals.count > wanted.count {
      throw .unexpectedArgument(positionals[wanted.count])
    }
    var named: [String: String] = [:]
    for (argument, value) in zip(wanted, positionals) {
      guard !value.isEmpty else { throw .missingArgument(argument.name) }
      named[argument.name] = value
    }
    return named
  }

  private func find(_ typed: String) throws(UsageError) -> Option {
    if typed.hasPrefix("--") {
      let name = typed.dropFirst(2)
      if let option = options.first(where: { $0.name == name }) { return option }
    } else if typed.count == 2 {
      let letter = typed.last
      if let option = options.first(where: { $0.letter == letter }) { return option }
    }
    let bare = String(typed.drop { $0 == "-" })
    let near = closest(to: bare, among: options.map(\.name))
    throw .unknownOption(typed, suggestion: near.map { "--" + $0 })
  }

  private static func looksLikeOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word.count > 1 else { return false }
    let second = word[word.index(after: word.startIndex)]
    return !(second.isNumber || second == ".")
  }

  private static func split(_ word: String) -> (option: String, value: String?) {
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}
