/// How far a batch has come, on one line of the screen.
final class BatchProgress {
  private let line: ProgressLine
  private let isShown: Bool
  private var answeredCount = 0
  private var failures = 0
  private var skippedCount = 0

  init(_ environment: CommandEnvironment, isShown: Bool) {
    line = ProgressLine(environment)
    self.isShown = isShown
  }

  func skipped() {
    skippedCount += 1
  }

  func answered(isFailure: Bool) {
    answeredCount += 1
    failures += isFailure ? 1 : 0
    if isShown { line.show("\(answeredCount) answered, \(failures) failed") }
  }

  func clear() {
    if isShown { line.clear() }
  }

  /// What the user should know at the end; nil where all went well.
  var summary: String? {
    var parts: [String] = []
    if failures > 0 {
      parts.append("\(failures) of \(answeredCount) requests failed; their answers say why")
    }
    if skippedCount > 0 { parts.append("\(skippedCount) were answered before") }
    return parts.isEmpty ? nil : "note: " + parts.joined(separator: "; ")
  }
}
