import Foundation
import SamEvaluation
import SamSwift

extension EvalCommand {
  package func run(in environment: CommandEnvironment) async throws {
    for file in [csv, json, sheet].compactMap({ $0 }) where file != "-" {
      try OutputFile.check(environment.path(file), shownAs: file)
    }
    let photographs = try EvaluationFolder(URL(fileURLWithPath: environment.path(folder)))
    environment.sayKernelNotice()
    let progress = ProgressLine(environment)
    defer { progress.clear() }
    progress.show("Loading \(model.model(in: environment))…")
    let session = try session(model.configuration, in: environment)
    let other = try against.map { precision in
      var configuration = model.configuration
      configuration.precision = precision
      return try self.session(configuration, in: environment)
    }

    let whole = Stopwatch()
    let evaluation = Evaluation(
      of: photographs, session: session, comparedWith: other, options: options)
    let report = try evaluation.run { done, count in
      progress.show(EvalProgress.line(done: done, of: count, elapsed: whole.elapsed))
    }
    progress.clear()
    try write(report, elapsed: whole.elapsed, in: environment)
  }

  private func session(
    _ configuration: SamConfiguration, in environment: CommandEnvironment
  ) throws(SamSwiftError) -> SamSession {
    try SamSession(model: model.model(in: environment), configuration: configuration)
  }

  private func write(
    _ report: EvaluationReport, elapsed: Duration, in environment: CommandEnvironment
  ) throws {
    let run = EvalRun(
      folder: folder, model: model.model(in: environment).description,
      precision: model.configuration.precision, against: against, elapsed: elapsed)
    let texts = [
      (csv, csv.map { _ in EvalTable.csv(report) }),
      (json, json.map { _ in EvalJSON(run: run, report: report).value.indented + "\n" }),
    ]
    for (file, text) in texts {
      guard let file, let text else { continue }
      if file == "-" {
        try environment.output.write(text)
      } else {
        try OutputFile.write(Data(text.utf8), to: environment.path(file), shownAs: file)
      }
    }
    if let sheet, let picture = report.sheet {
      try OutputFile.write(
        ImageEncoder.encode(picture, as: .png), to: environment.path(sheet), shownAs: sheet)
    }
    if csv != "-", json != "-" {
      for line in EvalText(run: run, report: report).lines { try environment.print(line) }
    }
  }
}

/// What was evaluated, and how.
struct EvalRun: Sendable {
  let folder: String
  let model: String
  let precision: SamConfiguration.Precision
  let against: SamConfiguration.Precision?
  let elapsed: Duration
}

/// The line that is redrawn while photographs are measured.
enum EvalProgress {
  private static let width = 20

  static func line(done: Int, of count: Int, elapsed: Duration) -> String {
    let filled = width * done / max(1, count)
    let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: width - filled)
    var text = "[\(bar)] \(done) of \(count) photographs"
    if done > 0, done < count {
      let left = elapsed.milliseconds / 1000 / Double(done) * Double(count - done)
      let seconds = Int(left.rounded(.up))
      text += seconds < 60 ? "  \(seconds) s left" : "  \(seconds / 60) min \(seconds % 60) s left"
    }
    return text
  }
}
