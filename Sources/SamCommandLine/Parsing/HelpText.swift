/// The help of a command, of a group, and of `samswift` itself.
enum HelpText {
  private static let width = 80
  private static let column = 24

  static func command(_ specification: CommandSpecification, path: String) -> String {
    var sections = [specification.summary]
    sections += specification.discussion.map { wrap($0, to: width).joined(separator: "\n") }
    sections.append(usage(specification, path: path))
    if !specification.arguments.isEmpty {
      let rows = specification.arguments.map { (label: $0.name, text: $0.help) }
      sections.append(table("Arguments:", rows))
    }
    for group in specification.options {
      sections.append(table(group.title + ":", group.options.map(row)))
    }
    let helpTitle = specification.options.isEmpty ? "Options:" : "Help:"
    sections.append(table(helpTitle, [row(ArgumentParser.help)]))
    if !specification.examples.isEmpty {
      let examples = specification.examples.map { "  # \($0.purpose)\n  \($0.line)" }
      sections.append("Examples:\n" + examples.joined(separator: "\n"))
    }
    return sections.joined(separator: "\n\n") + "\n"
  }

  static func group(_ name: String, summary: String, commands: [any Command.Type]) -> String {
    let rows = commands.map { command in
      (label: command.specification.name, text: command.specification.summary)
    }
    return """
      \(summary)

      Usage: samswift \(name) COMMAND

      \(table("Commands:", rows))

      See 'samswift \(name) COMMAND --help' for each.

      """
  }

  static func top(_ entries: [CommandEntry]) -> String {
    let rows = entries.map { (label: $0.name, text: $0.summary) }
    return """
      Cut an object out of a picture: point at it, get its mask.

      Usage: samswift COMMAND

      \(table("Commands:", rows))

      \(table("Options:", [row(ArgumentParser.help), (label: "    --version", text: "Print the version.")]))

      Examples:
        # The cat, by one click in the middle of it
        samswift segment cat.jpg --point 50%,50%

      See 'samswift COMMAND --help' for each command.

      """
  }

  static func usage(_ specification: CommandSpecification, path: String) -> String {
    let arguments = specification.arguments.map { " " + $0.name }.joined()
    let options = specification.options.isEmpty ? "" : " [options]"
    return "Usage: samswift \(path)\(arguments)\(options)"
  }

  private static func row(_ option: Option) -> (label: String, text: String) {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    let value = option.placeholder.map { " " + $0 } ?? ""
    return (letter + option.flag + value, option.help)
  }

  /// A heading and rows: label, then text in a column of its own.
  private static func table(_ title: String, _ rows: [(label: String, text: String)]) -> String {
    var lines = [title]
    for row in rows {
      var text = wrap(row.text, to: width - column)
      var line = "  " + row.label
      if line.count + 2 <= column, !text.isEmpty {
        line += String(repeating: " ", count: column - line.count) + text.removeFirst()
      }
      lines.append(line)
      lines += text.map { String(repeating: " ", count: column) + $0 }
    }
    return lines.joined(separator: "\n")
  }

  private static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}
