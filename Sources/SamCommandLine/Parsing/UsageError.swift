/// A command line that cannot be meant; every case says how to put it right.
///
/// The exit code is 64.
package enum UsageError: Error, Equatable, Sendable {
  /// No command at all, or a group without its command.
  case missingCommand(of: [String])
  /// A word that is no command.
  case unknownCommand(String, of: [String])
  /// An option that the command does not have.
  case unknownOption(String, suggestion: String?)
  /// An option whose value is not there.
  case missingValue(option: String, placeholder: String)
  /// A flag that was given a value.
  case unexpectedValue(option: String, value: String)
  /// An option given twice that means one thing.
  case repeated(option: String)
  /// A required argument that is not there.
  case missingArgument(String)
  /// One argument too many.
  case unexpectedArgument(String)
  /// A value that does not say what the argument wants.
  case badValue(argument: String, value: String, wanted: String)
  /// A word that is not UTF-8, with U+FFFD for what cannot be read.
  case notUnicode(String)
  /// Arguments that are right one by one but not together; the text says what to do.
  case conflict(String)
}

extension UsageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missingCommand(let names):
      return "a command is missing. Use one of: \(names.joined(separator: ", "))"
    case .unknownCommand(let word, let names):
      if let name = closest(to: word, among: names) {
        return "there is no command '\(word)'. Did you mean '\(name)'?"
      }
      return "there is no command '\(word)'. Use one of: \(names.joined(separator: ", "))"
    case .unknownOption(let option, let suggestion):
      let hint = suggestion.map { " Did you mean '\($0)'?" } ?? ""
      return "there is no option '\(option)'.\(hint)"
    case .missingValue(let option, let placeholder):
      return "\(option) needs a value: \(option) \(placeholder)"
    case .unexpectedValue(let option, let value):
      return "\(option) takes no value, but '\(value)' was given. Write just \(option)"
    case .repeated(let option):
      return "\(option) is given more than once. Keep one of them"
    case .missingArgument(let name):
      return "\(name) is missing"
    case .unexpectedArgument(let value):
      return "'\(value)' is one argument too many. Put quotes round a name that holds spaces"
    case .badValue(let argument, let value, let wanted):
      return "\(argument) '\(value)' is not right: \(wanted)"
    case .notUnicode(let word):
      return "'\(word)' is not UTF-8. Rename the file, or put it on standard input: - < FILE"
    case .conflict(let text):
      return text
    }
  }
}
