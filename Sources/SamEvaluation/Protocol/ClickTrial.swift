import SamSwift

/// One object that is being clicked on, at one quality level.
struct ClickTrial: Sendable {
  let object: TrialObject
  /// The clicks so far, the next one included.
  private(set) var points: [SamPoint]
  /// What the decoder answered last, to be refined.
  private(set) var previous: SamLogits?
  private(set) var scores: [EvaluationStep: MaskScore] = [:]
  private(set) var clicksNeeded: Int?
  private var isPerfect = false

  init(_ object: TrialObject) {
    self.object = object
    let seed = ChamferDistance.innermost(of: object.truth)
    points = [seed.click(.include)]
  }

  /// What to ask with the clicks so far.
  var prompt: SamPrompt { SamPrompt(points: points, maskInput: previous) }

  /// Whether another click would tell anything: up to the last measured one, then until the mask is
  /// good.
  func wants(click: Int) -> Bool {
    !isPerfect && (click <= Evaluation.lastMeasuredClick || clicksNeeded == nil)
  }

  mutating func receive(box judgement: Judgement) {
    scores[.box] = judgement.score
  }

  mutating func receive(click: Int, logits: SamLogits, _ judgement: Judgement) {
    previous = logits
    if let step = EvaluationStep(clicks: click) { scores[step] = judgement.score }
    if judgement.iou >= Evaluation.goodIoU, clicksNeeded == nil { clicksNeeded = click }
    guard let next = judgement.correction else {
      // Nobody clicks on a mask that is right; it stays what it is.
      isPerfect = true
      for step in EvaluationStep.allCases where step.clicks ?? 0 > click {
        scores[step] = judgement.score
      }
      return
    }
    points.append(next)
  }
}

/// What is known of an object before anything is asked.
struct TrialObject: Sendable {
  let label: Int
  let truth: BinaryMask
  let boundary: BoundaryScore
  /// The tight box.
  let box: SamBox
  /// The share of the picture that it covers.
  let share: Double

  /// Nil for a label that no pixel has.
  init?(label: Int, truth: BinaryMask) {
    guard let bounds = truth.bounds else { return nil }
    self.label = label
    self.truth = truth
    boundary = BoundaryScore(truth: truth)
    box = SamBox(
      x0: Double(bounds.columns.lowerBound), y0: Double(bounds.rows.lowerBound),
      x1: Double(bounds.columns.upperBound), y1: Double(bounds.rows.upperBound))
    share = Double(truth.bytes.reduce(0) { $0 + Int($1) }) / Double(truth.bytes.count)
  }
}

/// A mask held against the truth.
struct Judgement: Sendable {
  let mask: BinaryMask
  let iou: Double
  /// Only where it was asked for; an outline takes as long as the rest.
  let score: MaskScore?
  /// The click that corrects the largest error; nil where the mask is right.
  ///
  /// It lies at the innermost point of all that was missed or wrongly covered.
  let correction: SamPoint?

  init(_ mask: SamMask, of object: TrialObject, isMeasured: Bool) {
    self.mask = BinaryMask(mask)
    let comparison = MaskComparison(self.mask, truth: object.truth)
    iou = comparison.iou
    score = isMeasured ? MaskScore(iou: iou, boundary: object.boundary(self.mask)) : nil
    let missed = ChamferDistance.innermost(of: comparison.missed)
    let wrong = ChamferDistance.innermost(of: comparison.wrong)
    if missed.distance == 0 && wrong.distance == 0 {
      correction = nil
    } else {
      correction =
        missed.distance >= wrong.distance ? missed.click(.include) : wrong.click(.exclude)
    }
  }
}

extension ChamferDistance.Innermost {
  /// A click at the pixel's upper left corner, as the reference clicks.
  fileprivate func click(_ label: SamPoint.Label) -> SamPoint {
    SamPoint(x: Double(x), y: Double(y), label: label)
  }
}
