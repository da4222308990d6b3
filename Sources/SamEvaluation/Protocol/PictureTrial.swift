import SamSwift

/// The protocol on some objects of one picture.
struct PictureTrial {
  let session: SamSession
  /// Asked the same prompts, to see how far its masks are from the session's.
  let other: SamSession?
  let picture: LabelledPicture
  let threads: Int
  var timings: EvaluationTimings
  var agreement: [EvaluationStep: [Double]] = [:]

  /// Objects that go through the decoder in one batch: enough to keep it busy, few enough that
  /// their masks and outlines take less than about 100 MB.
  static func batchSize(of picture: LabelledPicture) -> Int {
    min(16, max(1, 20_000_000 / (picture.photograph.width * picture.photograph.height)))
  }

  /// A finished trial with its mask after the last measured click.
  struct Finished {
    let trial: ClickTrial
    let mask: BinaryMask
    let clicks: [SamPoint]
  }

  /// Runs the protocol at one level; `comparesSessions` also asks the other session.
  mutating func run(
    _ objects: [TrialObject], quality: SamQuality, level: Int, comparesSessions: Bool
  ) throws -> [Finished] {
    var trials = objects.map(ClickTrial.init)
    var last: [(mask: BinaryMask, clicks: [SamPoint])?] = trials.map { _ in nil }
    let boxes = objects.map { SamPrompt(box: $0.box) }
    let judged = try ask(
      boxes, about: objects, quality: quality, level: level, step: .box,
      comparesSessions: comparesSessions)
    for (index, answer) in judged.enumerated() { trials[index].receive(box: answer.judgement) }

    for click in 1...Evaluation.mostClicks {
      let active = trials.indices.filter { trials[$0].wants(click: click) }
      if active.isEmpty { break }
      let answers = try ask(
        active.map { trials[$0].prompt }, about: active.map { trials[$0].object },
        quality: quality, level: level, step: EvaluationStep(clicks: click),
        comparesSessions: comparesSessions)
      for (index, answer) in zip(active, answers) {
        if click <= Evaluation.lastMeasuredClick {
          last[index] = (answer.judgement.mask, trials[index].points)
        }
        trials[index].receive(click: click, logits: answer.logits, answer.judgement)
      }
    }
    return zip(trials, last).compactMap { trial, last in
      last.map { Finished(trial: trial, mask: $0.mask, clicks: $0.clicks) }
    }
  }

  private mutating func ask(
    _ prompts: [SamPrompt], about objects: [TrialObject], quality: SamQuality, level: Int,
    step: EvaluationStep?, comparesSessions: Bool
  ) throws -> [(logits: SamLogits, judgement: Judgement)] {
    let results = try session.predict(prompts, options: .init(quality: quality))
    // Every result carries the time of the whole batch.
    timings.prompt.add(results.first?.timings.decodePrompt ?? .zero, count: results.count)
    for result in results { timings.mask[level].add(result.timings.renderMask) }

    let watch = ContinuousClock.now
    let answers = Array(zip(results.map(\.best), objects))
    let judgements = answers.concurrentMap(threads: threads) { mask, object in
      Judgement(mask, of: object, isMeasured: step != nil)
    }
    timings.compare.add(ContinuousClock.now - watch, count: judgements.count)

    if comparesSessions, let step, let other {
      let theirs = try other.predict(prompts, options: .init(quality: quality))
      let pairs = Array(zip(judgements.map(\.mask), theirs.map(\.best)))
      agreement[step, default: []] += pairs.concurrentMap(threads: threads) { ours, theirs in
        let comparison = MaskComparison(BinaryMask(theirs), truth: ours)
        return comparison.union == 0 ? 1 : comparison.iou
      }
    }
    return Array(zip(results.map(\.best.logits), judgements))
  }
}
