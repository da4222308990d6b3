import SamSwift

/// How well a mask agrees with the truth.
package struct MaskScore: Sendable, Equatable {
  /// Intersection over union, 0...1.
  package let iou: Double
  /// Boundary F-score, 0...1; see ``BoundaryScore``.
  package let boundary: Double
}

/// One object at one quality level: a row of the table.
package struct ObjectResult: Sendable {
  /// The photograph's file name.
  package let picture: String
  /// The object's number in the label map.
  package let label: Int
  /// The share of the photograph that it covers, 0...1.
  package let share: Double
  package let quality: SamQuality
  /// A score for every step.
  package let scores: [EvaluationStep: MaskScore]
  /// Clicks after which the IoU was 0.8 or more for the first time; nil where
  /// ``Evaluation/mostClicks`` did not do.
  package let clicksNeeded: Int?

  /// What the file's name begins with, up to a hyphen: where folders of several sources say which
  /// one it is.
  package var source: String? {
    picture.firstIndex(of: "-").map { String(picture[..<$0]) }
  }
}
