/// A point of the protocol at which the mask is measured.
package enum EvaluationStep: String, Sendable, Hashable, CaseIterable {
  /// The object's tight box, one decode.
  case box
  /// One click, the best of the decoder's three readings by its own estimate.
  case click1
  /// Three clicks.
  case click3
  /// Five clicks.
  case click5

  /// Nil for the box.
  var clicks: Int? {
    switch self {
    case .box: nil
    case .click1: 1
    case .click3: 3
    case .click5: 5
    }
  }

  /// The step that a number of clicks is, if it is one.
  init?(clicks: Int) {
    guard let step = Self.allCases.first(where: { $0.clicks == clicks }) else { return nil }
    self = step
  }
}
