import SamModel

/// The decoder's answer to one prompt: the grid that counts, and the three readings of a click.
package struct Answer: Sendable {
  package struct Scored: Sendable {
    package var grid: LogitGrid
    /// Predicted IoU.
    package var score: Float
  }

  /// What the prompt means.
  package var chosen: Scored
  /// Masks 1 to 3, the best score first.
  package var candidates: [Scored]

  /// Chooses among the decoder's four masks.
  ///
  /// SAM's rule: a click alone is ambiguous (a button, the shirt, the person), so the best of masks 1
  /// to 3 by predicted IoU is meant; every other prompt is answered by mask 0.
  package init(_ decoded: DecodedMasks, isSingleClick: Bool) {
    let all = zip(decoded.grids, decoded.scores).map { Scored(grid: $0, score: $1) }
    precondition(all.count == 4, "a decoder answers with four masks, not \(all.count)")
    // Sorted is stable: of equal scores the lower mask comes first, as torch.argmax has it.
    candidates = all.dropFirst().sorted { $0.score > $1.score }
    chosen = isSingleClick ? candidates[0] : all[0]
  }

  /// An answer made of several objects: a pixel is inside where it is inside any of them.
  package init(unionOf answers: [Answer]) {
    precondition(!answers.isEmpty, "a union of nothing")
    var union = answers[0].chosen.grid.values
    for answer in answers.dropFirst() {
      let values = answer.chosen.grid.values
      for i in union.indices { union[i] = max(union[i], values[i]) }
    }
    let first = answers[0].chosen.grid
    chosen = Scored(
      grid: LogitGrid(width: first.width, height: first.height, values: union),
      score: answers.map(\.chosen.score).reduce(0, +) / Float(answers.count))
    candidates = answers.count == 1 ? answers[0].candidates : []
  }
}
