import SamSwift

/// Everything that an evaluation found out.
package struct EvaluationReport: Sendable {
  /// The levels that were measured, in the order asked for.
  package let qualities: [SamQuality]
  /// Photographs with at least one object that was measured.
  package internal(set) var photographs = 0
  /// A row for every object and level.
  package internal(set) var results: [ObjectResult] = []
  /// The IoU of each mask with the other session's at the same prompt; empty without another
  /// session.
  package internal(set) var agreement: [EvaluationStep: [Double]] = [:]
  package internal(set) var timings: EvaluationTimings
  /// The worst and the best cases, if they were asked for.
  package internal(set) var sheet: PixelImage?

  init(qualities: [SamQuality], timings: EvaluationTimings) {
    self.qualities = qualities
    self.timings = timings
  }

  /// What one level comes to.
  package func summary(of quality: SamQuality) -> LevelSummary {
    LevelSummary(results.filter { $0.quality == quality })
  }

  /// Objects that were measured.
  package var objects: Int { results.count / qualities.count }
}

/// Means over all objects at one quality level.
package struct LevelSummary: Sendable {
  /// Means over some of the objects.
  package struct Means: Sendable {
    package let objects: Int
    /// Mean IoU, 0...1.
    package let iou: [EvaluationStep: Double]
    /// Mean boundary F-score, 0...1.
    package let boundary: [EvaluationStep: Double]
    /// The share of objects with a good mask, 0...1.
    package let goodShare: [EvaluationStep: Double]
    /// Mean of the clicks that a good mask took; an object that never got one counts with all of
    /// them.
    package let clicksNeeded: Double
    /// The share of objects that got a good mask at all, 0...1.
    package let reachedShare: Double

    init(_ results: [ObjectResult]) {
      func mean(_ value: (ObjectResult) -> Double) -> Double {
        results.map(value).reduce(0, +) / Double(max(1, results.count))
      }
      func means(_ value: @escaping (MaskScore) -> Double) -> [EvaluationStep: Double] {
        var means: [EvaluationStep: Double] = [:]
        for step in EvaluationStep.allCases {
          means[step] = mean { $0.scores[step].map(value) ?? 0 }
        }
        return means
      }
      objects = results.count
      iou = means(\.iou)
      boundary = means(\.boundary)
      goodShare = means { $0.iou >= Evaluation.goodIoU ? 1 : 0 }
      clicksNeeded = mean { Double($0.clicksNeeded ?? Evaluation.mostClicks) }
      reachedShare = mean { $0.clicksNeeded == nil ? 0 : 1 }
    }
  }

  package let all: Means
  /// By ``ObjectResult/source``, sorted; empty where not every file names one, or all the same.
  package let sources: [(name: String, means: Means)]

  init(_ results: [ObjectResult]) {
    all = Means(results)
    let named = Dictionary(grouping: results, by: \.source)
    guard named[nil] == nil, named.count > 1 else {
      sources = []
      return
    }
    sources = named.compactMap { source, results in
      source.map { ($0, Means(results)) }
    }.sorted { $0.0 < $1.0 }
  }
}
