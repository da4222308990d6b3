import SamEvaluation
import SamSwift

/// Every mean and the table, for another program.
struct EvalJSON {
  let run: EvalRun
  let report: EvaluationReport

  var value: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("folder", .string(run.folder)), ("model", .string(run.model)),
      ("precision", .string(run.precision.rawValue)),
      ("photographs", .integer(report.photographs)), ("objects", .integer(report.objects)),
      ("levels", .array(report.qualities.map(level))),
    ]
    if let against = run.against {
      members.append(
        (
          "agreement",
          .object([
            ("precision", .string(against.rawValue)),
            ("mean_iou_percent", percents { Self.mean(report.agreement[$0] ?? []) * 100 }),
          ])
        ))
    }
    members += [("milliseconds", timings), ("table", .array(report.results.map(row)))]
    return .object(members)
  }

  private func level(_ quality: SamQuality) -> JSONValue {
    let summary = report.summary(of: quality)
    var members: [(name: String, value: JSONValue)] = [("quality", .string(quality.rawValue))]
    members += means(summary.all)
    members.append(
      (
        "by_source",
        .object(
          summary.sources.map { name, means in
            (
              name,
              .object(
                [("objects", .integer(means.objects))]
                  + EvaluationStep.allCases.map {
                    ($0.rawValue, .number((means.iou[$0] ?? 0) * 100, digits: 2))
                  })
            )
          })
      ))
    return .object(members)
  }

  private func means(_ means: LevelSummary.Means) -> [(name: String, value: JSONValue)] {
    [
      ("mean_iou_percent", percents { (means.iou[$0] ?? 0) * 100 }),
      ("boundary_f_percent", percents { (means.boundary[$0] ?? 0) * 100 }),
      ("share_at_0.8", percents { (means.goodShare[$0] ?? 0) * 100 }),
      ("clicks_to_0.8", .number(means.clicksNeeded, digits: 2)),
      ("reached_0.8_percent", .number(means.reachedShare * 100, digits: 1)),
    ]
  }

  private func percents(_ value: (EvaluationStep) -> Double) -> JSONValue {
    .object(EvaluationStep.allCases.map { ($0.rawValue, .number(value($0), digits: 2)) })
  }

  private var timings: JSONValue {
    let timings = report.timings
    var members: [(name: String, value: JSONValue)] = [
      ("read_photograph", .number(timings.read.mean.milliseconds, digits: 2)),
      ("encode_photograph", .number(timings.encode.mean.milliseconds, digits: 2)),
      ("decode_prompt", .number(timings.prompt.mean.milliseconds, digits: 2)),
    ]
    for (quality, total) in zip(report.qualities, timings.mask) {
      members.append(
        ("render_\(quality.rawValue)_mask", .number(total.mean.milliseconds, digits: 2)))
    }
    members += [
      ("compare_mask", .number(timings.compare.mean.milliseconds, digits: 2)),
      ("whole", .number(run.elapsed.milliseconds, digits: 0)),
    ]
    return .object(members)
  }

  private func row(_ result: ObjectResult) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("picture", .string(result.picture)), ("label", .integer(result.label)),
      ("share", .number(result.share, digits: 4)), ("quality", .string(result.quality.rawValue)),
    ]
    for step in EvaluationStep.allCases {
      guard let score = result.scores[step] else { continue }
      members.append(
        (
          step.rawValue,
          .object([
            ("iou", .number(score.iou, digits: 4)),
            ("boundary_f", .number(score.boundary, digits: 4)),
          ])
        ))
    }
    members.append(("clicks_to_0.8", result.clicksNeeded.map(JSONValue.integer) ?? .null))
    return .object(members)
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(max(1, values.count))
  }
}
