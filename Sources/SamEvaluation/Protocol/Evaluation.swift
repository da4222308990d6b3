import SamSwift
import SamTensor

/// Measures a model on a folder of photographs with label maps.
///
/// Every object of 1 % to 80 % of its photograph is pointed at twice. First with its tight box.
/// Then with clicks: the first at the object's innermost point (farthest from its border, the
/// picture's edge counting as border), each next one at the innermost point of the largest error,
/// missed or wrongly covered, with all earlier clicks and the previous low-resolution logits, until
/// the IoU is 0.8 and at least five clicks are made, or twenty. Masks are compared at the picture's
/// size. The first click is answered by the best of three masks in the decoder's own estimate.
package struct Evaluation {
  /// The IoU from which a mask counts as good.
  package static let goodIoU = 0.8
  /// Clicks after which the hunt for a good mask is given up.
  package static let mostClicks = 20
  static let lastMeasuredClick = 5

  /// What is measured.
  package struct Options: Sendable {
    /// The quality levels, each with its own run of clicks; the first one is shown on the contact
    /// sheet.
    package var qualities: [SamQuality] = [.balanced, .accurate]
    /// At most so many photographs, drawn by `seed`; nil takes all.
    package var limit: Int?
    package var seed: UInt64 = 0
    /// Cases at each end of the contact sheet; 0 makes none.
    package var sheetCases = 0

    package init() {}
  }

  private let folder: EvaluationFolder
  private let session: SamSession
  private let other: SamSession?
  private let options: Options

  /// Prepares an evaluation.
  ///
  /// The session's current picture is replaced. `other`, the same model in another number format,
  /// is asked the same prompts at the first quality level, to see how far its masks are from the
  /// first one's.
  package init(
    of folder: EvaluationFolder, session: SamSession, comparedWith other: SamSession? = nil,
    options: Options = Options()
  ) {
    precondition(!options.qualities.isEmpty, "an evaluation has at least one quality level")
    self.folder = folder
    self.session = session
    self.other = other
    self.options = options
  }

  /// Runs it on the calling thread; `progress` is told how many of the photographs are done.
  ///
  /// - Throws: ``EvaluationError``, `ImageIOError`, `SamSwiftError`.
  package func run(progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }) throws
    -> EvaluationReport
  {
    let pairs = folder.sample(options.limit, seed: options.seed)
    let threads = session.configuration.threads ?? Parallel.coreCount
    var report = EvaluationReport(
      qualities: options.qualities,
      timings: EvaluationTimings(levels: options.qualities.count))
    var sheet = ContactSheet(cases: options.sheetCases)
    for (done, pair) in pairs.enumerated() {
      progress(done, pairs.count)
      var watch = ContinuousClock.now
      let picture = try LabelledPicture(pair)
      report.timings.read.add(ContinuousClock.now - watch)
      guard !picture.measured.isEmpty else { continue }
      report.photographs += 1
      watch = .now
      try session.setImage(picture.photograph)
      report.timings.encode.add(ContinuousClock.now - watch)
      try other?.setImage(picture.photograph)
      try evaluate(picture, threads: threads, into: &report, &sheet)
    }
    progress(pairs.count, pairs.count)
    guard report.photographs > 0 else {
      throw EvaluationError.nothingToMeasure(path: folder.path, photographs: pairs.count)
    }
    report.sheet = sheet.image
    return report
  }

  private func evaluate(
    _ picture: LabelledPicture, threads: Int, into report: inout EvaluationReport,
    _ sheet: inout ContactSheet
  ) throws {
    var trial = PictureTrial(
      session: session, other: other, picture: picture, threads: threads,
      timings: report.timings)
    let size = PictureTrial.batchSize(of: picture)
    for start in stride(from: 0, to: picture.measured.count, by: size) {
      let labels = Array(picture.measured[start..<min(start + size, picture.measured.count)])
      let objects = labels.concurrentMap(threads: threads) { label in
        TrialObject(label: label, truth: picture.mask(of: label))
      }.compactMap { $0 }
      for (level, quality) in options.qualities.enumerated() {
        let finished = try trial.run(
          objects, quality: quality, level: level, comparesSessions: level == 0)
        for end in finished {
          let result = ObjectResult(
            picture: picture.name, label: end.trial.object.label, share: end.trial.object.share,
            quality: quality, scores: end.trial.scores, clicksNeeded: end.trial.clicksNeeded)
          report.results.append(result)
          if level == 0 { sheet.add(result, of: picture.photograph, end) }
        }
      }
    }
    report.timings = trial.timings
    for (step, values) in trial.agreement { report.agreement[step, default: []] += values }
  }
}
