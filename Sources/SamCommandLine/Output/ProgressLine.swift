/// One line that says what is being done, redrawn in place; only on a terminal.
package struct ProgressLine: Sendable {
  private let environment: CommandEnvironment

  package init(_ environment: CommandEnvironment) {
    self.environment = environment
  }

  /// Replaces the line.
  package func show(_ text: String) {
    guard environment.errorsAreTerminal else { return }
    try? environment.errors.write("\r\u{1B}[K" + text)
  }

  /// Wipes the line, before anything else is written.
  package func clear() {
    show("")
  }
}
