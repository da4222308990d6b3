import SamEvaluation

/// The table of all objects as CSV (RFC 4180, with a line feed).
enum EvalTable {
  static func csv(_ report: EvaluationReport) -> String {
    var columns = ["picture", "label", "share", "quality"]
    for step in EvaluationStep.allCases {
      columns += ["\(step.rawValue)_iou", "\(step.rawValue)_boundary_f"]
    }
    columns.append("clicks_to_0.8")
    var text = columns.joined(separator: ",") + "\n"
    for result in report.results {
      var fields = [
        quoted(result.picture), String(result.label), fixed(result.share, digits: 4),
        result.quality.rawValue,
      ]
      for step in EvaluationStep.allCases {
        let score = result.scores[step]
        fields += [score?.iou, score?.boundary].map { $0.map { fixed($0, digits: 4) } ?? "" }
      }
      fields.append(result.clicksNeeded.map(String.init) ?? "")
      text += fields.joined(separator: ",") + "\n"
    }
    return text
  }

  /// A field in quotes where it holds something that would end it.
  private static func quoted(_ field: String) -> String {
    guard field.contains(where: { ",\"\r\n\r\n".contains($0) }) else { return field }
    return "\"" + field.replacing("\"", with: "\"\"") + "\""
  }
}
