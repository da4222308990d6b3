import SamEditing
import SamImageIO
import SamModel
import SamTensor
import Synchronization

/// One run of SAM's automatic mask generator over a picture.
///
/// Clicks are decoded in batches; each of the three masks of a click is dropped as early as it can be: by
/// its predicted IoU before any pixel is looked at, by its stability before its outline is followed.
struct EverythingSearch {
  private let engine: SegmentationEngine
  private let options: SamEverythingOptions
  private let picture: EncodedPicture
  private let isCancelled: @Sendable () -> Bool
  private let progress: (@Sendable (SamEverythingProgress) -> Void)?
  private let layout: CropLayout
  private let clock = ContinuousClock()
  private var timings: SamTimings
  private var answered = 0
  private var found = 0

  /// A mask that has passed the filters.
  private struct Candidate: Sendable {
    var runs: MaskRuns
    var area: Int
    var box: PixelBox
    var score: Float
    var stability: Float
    var point: SamPoint
    var crop: CropBox
  }

  init(
    _ engine: SegmentationEngine, _ options: SamEverythingOptions, on picture: EncodedPicture,
    isCancelled: @escaping @Sendable () -> Bool,
    progress: (@Sendable (SamEverythingProgress) -> Void)?
  ) throws(SamSwiftError) {
    try options.check()
    self.engine = engine
    self.options = options
    self.picture = picture
    self.isCancelled = isCancelled
    self.progress = progress
    layout = CropLayout(
      width: picture.picture.width, height: picture.picture.height, options: options)
    timings = picture.timings
  }

  private var width: Int { picture.picture.width }
  private var height: Int { picture.picture.height }

  mutating func run() throws(SamSwiftError) -> SamSegments {
    var candidates: [Candidate] = []
    report()
    for (index, crop) in layout.crops.enumerated() {
      let encoded = index == 0 ? picture : try encode(crop.box)
      let inCrop = try candidatesOf(crop, encoded)
      let kept = BoxSuppression.kept(
        inCrop.map(\.box), scores: inCrop.map(\.score), limit: options.boxOverlapLimit)
      candidates += kept.map { inCrop[$0] }
    }
    if layout.crops.count > 1 {
      candidates = suppressed(
        candidates, scores: candidates.map { 1 / Float($0.crop.area) },
        limit: options.cropOverlapLimit)
    }
    if options.minimumRegionArea > 0 { candidates = try cleaned(candidates) }
    return SamSegments(
      segments: candidates.map(Self.segment), imageWidth: width, imageHeight: height,
      timings: timings)
  }

  private func report() {
    progress?(
      SamEverythingProgress(points: answered, totalPoints: layout.pointCount, found: found))
  }

  private mutating func encode(_ box: CropBox) throws(SamSwiftError) -> EncodedPicture {
    let encoded = try engine.encode(picture.picture.cropped(to: box), isCancelled: isCancelled)
    timings.encodeImage += encoded.timings.encodeImage
    return encoded
  }

  /// Clicks through one crop; the masks that pass, in the order of their clicks.
  private mutating func candidatesOf(
    _ crop: CropLayout.Crop, _ encoded: EncodedPicture
  ) throws(SamSwiftError) -> [Candidate] {
    let survey = MaskSurvey(
      geometry: encoded.geometry, kernels: engine.network.context.kernels)
    let points = crop.points
    var candidates: [Candidate] = []
    for start in stride(from: 0, to: points.count, by: options.pointsPerBatch) {
      let batch = points[start..<min(points.count, start + options.pointsPerBatch)]
      let begin = clock.now
      let decoded: [DecodedMasks]
      let scores = ScoreFilter(options)
      do {
        decoded = try engine.network.decode(
          encoded.embedding,
          prompts: batch.map {
            Prompt(points: [.init(x: Float($0.x), y: Float($0.y), isIncluded: true)])
          }, isCancelled: isCancelled, isWanted: { scores.passes($1, mask: $0) })
      } catch { throw SamSwiftError(error) }
      let end = clock.now
      timings.decodePrompt += end - begin
      let passed = passing(decoded, of: Array(batch), crop: crop.box, survey)
      timings.renderMask += clock.now - end
      candidates += passed
      answered += batch.count
      found += passed.count
      report()
      if isCancelled() { throw .cancelled }
    }
    return candidates
  }

  /// Of the masks of some clicks, those that pass the filters.
  private func passing(
    _ decoded: [DecodedMasks], of points: [(x: Double, y: Double)], crop: CropBox,
    _ survey: MaskSurvey
  ) -> [Candidate] {
    let wanted = decoded.indices.flatMap { click in
      decoded[click].grids.indices.filter { decoded[click].grids[$0].width > 0 }
        .map { (click: click, mask: $0) }
    }
    let passed = Mutex([Candidate?](repeating: nil, count: wanted.count))
    engine.network.context.parallel(wanted.count) { index in
      let (click, mask) = wanted[index]
      let candidate = candidate(
        decoded[click].grids[mask], score: decoded[click].scores[mask],
        point: SamPoint(x: points[click].x + Double(crop.x), y: points[click].y + Double(crop.y)),
        crop: crop, survey)
      passed.withLock { $0[index] = candidate }
    }
    return passed.withLock { $0.compactMap { $0 } }
  }

  private func candidate(
    _ grid: LogitGrid, score: Float, point: SamPoint, crop: CropBox, _ survey: MaskSurvey
  ) -> Candidate? {
    let counts = survey.measure(grid, margin: Float(options.stabilityOffset))
    guard
      options.stabilityThreshold <= 0 || counts.stability >= Float(options.stabilityThreshold)
    else { return nil }
    let box =
      counts.inside == 0
      ? PixelBox(x0: crop.x, y0: crop.y, x1: crop.x, y1: crop.y)
      : PixelBox(
        x0: crop.x + counts.columns.lowerBound, y0: crop.y + counts.rows.lowerBound,
        x1: crop.x + counts.columns.upperBound - 1, y1: crop.y + counts.rows.upperBound - 1)
    guard !isCutOff(box, by: crop) else { return nil }
    let lengths = survey.runs(
      grid, counts: counts, x: crop.x, y: crop.y, width: width, height: height)
    guard let runs = try? MaskRuns(width: width, height: height, counts: lengths) else {
      preconditionFailure("runs that do not fill the picture")
    }
    return Candidate(
      runs: runs, area: counts.inside, box: box, score: score, stability: counts.stability,
      point: point, crop: crop)
  }

  /// Whether a mask ends at its crop's edge where the picture goes on: another crop has it whole.
  private func isCutOff(_ box: PixelBox, by crop: CropBox) -> Bool {
    let near = 20
    let edges = [
      (box.x0, crop.x, 0), (box.y0, crop.y, 0), (box.x1, crop.x + crop.width, width),
      (box.y1, crop.y + crop.height, height),
    ]
    return edges.contains { place, cropEdge, pictureEdge in
      abs(place - cropEdge) <= near && abs(place - pictureEdge) > near
    }
  }

  /// Cleans masks up; those that become the same object as one that needed no clean-up go.
  private func cleaned(_ candidates: [Candidate]) throws(SamSwiftError) -> [Candidate] {
    let smallest = options.minimumRegionArea
    let results = Mutex([MaskRuns?](repeating: nil, count: candidates.count))
    engine.network.context.parallel(candidates.count) { index in
      if isCancelled() { return }
      let runs = candidates[index].runs.withoutSmallRegions(below: smallest)
      results.withLock { $0[index] = runs }
    }
    if isCancelled() { throw .cancelled }
    let changed = results.withLock { $0 }
    let all = zip(candidates, changed).map { candidate, runs -> Candidate in
      guard let runs else { return candidate }
      var candidate = candidate
      let box = runs.box
      candidate.runs = runs
      candidate.area = runs.area
      candidate.box = PixelBox(
        x0: box[0], y0: box[1], x1: max(box[0], box[0] + box[2] - 1),
        y1: max(box[1], box[1] + box[3] - 1))
      return candidate
    }
    return suppressed(
      all, scores: changed.map { $0 == nil ? 1 : 0 },
      limit: max(options.boxOverlapLimit, options.cropOverlapLimit))
  }

  private func suppressed(
    _ candidates: [Candidate], scores: [Float], limit: Double
  ) -> [Candidate] {
    BoxSuppression.kept(candidates.map(\.box), scores: scores, limit: limit).map { candidates[$0] }
  }

  private static func segment(_ candidate: Candidate) -> SamSegment {
    let (box, crop) = (candidate.box, candidate.crop)
    // The box of an empty mask has no pixel.
    let end = candidate.area == 0 ? 0 : 1
    return SamSegment(
      runs: candidate.runs, area: candidate.area,
      box: SamBox(
        x0: Double(box.x0), y0: Double(box.y0), x1: Double(box.x1 + end), y1: Double(box.y1 + end)),
      score: candidate.score, stability: candidate.stability, point: candidate.point,
      crop: SamBox(
        x0: Double(crop.x), y0: Double(crop.y), x1: Double(crop.x + crop.width),
        y1: Double(crop.y + crop.height)))
  }
}

/// The first filter, by predicted IoU.
private struct ScoreFilter: Sendable {
  private let threshold: Float?

  init(_ options: SamEverythingOptions) {
    threshold = options.scoreThreshold > 0 ? Float(options.scoreThreshold) : nil
  }

  /// Masks 1 to 3 answer a click; mask 0 would answer a prompt that leaves no doubt.
  func passes(_ score: Float, mask: Int) -> Bool {
    guard mask > 0 else { return false }
    return threshold.map { score > $0 } ?? true
  }
}

extension PixelImage {
  /// A part of the picture.
  fileprivate func cropped(to box: CropBox) -> PixelImage {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(box.area * channels)
    for y in box.y..<box.y + box.height {
      let start = y * bytesPerRow + box.x * channels
      bytes += pixels[start..<start + box.width * channels]
    }
    return PixelImage(width: box.width, height: box.height, channels: channels, pixels: bytes)
  }
}
