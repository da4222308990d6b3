/// An argument with a name: `--name` for a flag, `--name VALUE` or `--name=VALUE` otherwise.
package struct Option: Sendable {
  /// The name without its dashes.
  package let name: String
  /// A one-letter form, without its dash.
  package let letter: Character?
  /// What the help calls the value; nil for a flag.
  package let placeholder: String?
  /// Whether it may be given more than once.
  package let repeats: Bool
  /// What the help says.
  package let help: String

  private init(
    name: String, letter: Character?, placeholder: String?, repeats: Bool, help: String
  ) {
    self.name = name
    self.letter = letter
    self.placeholder = placeholder
    self.repeats = repeats
    self.help = help
  }

  /// An option that is there or not.
  package static func flag(_ name: String, letter: Character? = nil, _ help: String) -> Option {
    Option(name: name, letter: letter, placeholder: nil, repeats: false, help: help)
  }

  /// An option with a value.
  package static func value(
    _ name: String, _ placeholder: String, letter: Character? = nil, _ help: String
  ) -> Option {
    Option(name: name, letter: letter, placeholder: placeholder, repeats: false, help: help)
  }

  /// An option with a value that may be given more than once.
  package static func repeated(
    _ name: String, _ placeholder: String, letter: Character? = nil, _ help: String
  ) -> Option {
    Option(name: name, letter: letter, placeholder: placeholder, repeats: true, help: help)
  }

  /// The name as it is typed.
  package var flag: String { "--" + name }
}
