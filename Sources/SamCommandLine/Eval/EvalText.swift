import SamEvaluation
import SamSwift

/// The result for people: what each level comes to, what the others add to the first, and how long
/// it took.
struct EvalText {
  let run: EvalRun
  let report: EvaluationReport

  private static let steps = EvaluationStep.allCases
  private static let nameWidth = 28
  private static let columnWidth = 10

  var lines: [String] {
    let first = report.summary(of: report.qualities[0])
    var lines = [
      "\(Self.count(report.photographs, "photograph")), "
        + "\(Self.count(report.objects, "object")), model \(run.model), "
        + "precision \(run.precision.rawValue)"
    ]
    for quality in report.qualities {
      let summary = report.summary(of: quality)
      lines += ["", Self.row(quality.rawValue, ["box", "1 click", "3 clicks", "5 clicks"])]
      lines += Self.rows(of: summary.all)
      if quality != report.qualities[0] {
        lines += Self.rows(
          comparing: summary.all, with: first.all, named: report.qualities[0].rawValue)
      }
      lines.append(Self.clicks(summary.all))
    }
    lines += sources(first)
    lines += agreement
    lines += ["", "time per step"]
    lines += timings.map { name, time in
      Self.row(name, [fixed(time.milliseconds, digits: 2)]) + " ms"
    }
    lines.append(
      Self.row("  everything", [fixed(run.elapsed.milliseconds / 1000, digits: 1)]) + " s")
    return lines
  }

  private static func rows(of means: LevelSummary.Means) -> [String] {
    let measures = [
      ("  mean IoU", means.iou), ("  boundary F", means.boundary),
      ("  objects at IoU ≥ 0.8", means.goodShare),
    ]
    return measures.map { name, values in
      row(name, steps.map { fixed((values[$0] ?? 0) * 100, digits: 1) }) + " %"
    }
  }

  private static func rows(
    comparing means: LevelSummary.Means, with first: LevelSummary.Means, named name: String
  ) -> [String] {
    let measures = [("IoU", means.iou, first.iou), ("F", means.boundary, first.boundary)]
    return measures.map { measure, values, others in
      row(
        "  \(measure) against \(name)",
        steps.map { step in
          let text = fixed(((values[step] ?? 0) - (others[step] ?? 0)) * 100, digits: 1)
          return text == "-0.0" ? "0.0" : text.hasPrefix("-") ? text : "+" + text
        })
    }
  }

  private static func clicks(_ means: LevelSummary.Means) -> String {
    let never = (1 - means.reachedShare) * 100
    return
      "  clicks to IoU 0.8: \(fixed(means.clicksNeeded, digits: 1)) on average, counting "
      + "\(Evaluation.mostClicks) for the \(fixed(never, digits: 1)) % that never get there"
  }

  private func sources(_ summary: LevelSummary) -> [String] {
    guard !summary.sources.isEmpty else { return [] }
    let heading = Self.row(
      "IoU by source, \(report.qualities[0].rawValue)",
      ["box", "1 click", "3 clicks", "5 clicks", "objects"])
    return ["", heading]
      + summary.sources.map { name, means in
        Self.row(
          "  " + name,
          Self.steps.map { fixed((means.iou[$0] ?? 0) * 100, digits: 1) } + [String(means.objects)])
      }
  }

  private var agreement: [String] {
    guard let against = run.against else { return [] }
    let values = Self.steps.map { step in
      let values = report.agreement[step] ?? []
      return values.reduce(0, +) / Double(max(1, values.count))
    }
    return [
      "", Self.row("IoU with \(against.rawValue)'s masks", values.map { fixed($0, digits: 4) }),
    ]
  }

  private var timings: [(String, Duration)] {
    let timings = report.timings
    return [
      ("  read a photograph", timings.read.mean),
      ("  encode a photograph", timings.encode.mean),
      ("  decode a prompt", timings.prompt.mean),
    ]
      + zip(report.qualities, timings.mask).map { quality, total in
        ("  make a mask, \(quality.rawValue)", total.mean)
      } + [("  compare a mask", timings.compare.mean)]
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private static func row(_ name: String, _ columns: [String]) -> String {
    name + String(repeating: " ", count: max(0, nameWidth - name.count))
      + columns.map { String(repeating: " ", count: max(1, columnWidth - $0.count)) + $0 }.joined()
  }
}
