import Foundation
import SamEditing
import SamImageIO
import SamModel

/// How far a request has come on one picture: the plan of its decodes and the points it knows.
///
/// Kept so that a refinement is one decode and not the whole chain again.
struct SegmentationProgress: Sendable {
  /// What the plan belongs to; another picture or region is another plan.
  struct Key: Sendable, Equatable {
    var handler: UInt64
    var model: SegmentationModel
    var region: NormalizedRect
  }

  var key: Key
  var plan: any DecodingPlan
  /// Refinements that the plan has taken in.
  var refinementCount: Int
}

extension GenerateIterativeSegmentationRequest {
  /// Pictures whose progress a request remembers.
  private static let progressLimit = 8

  /// Does the work: encodes the picture if this is the first time, decodes what is new, makes the mask.
  func segment(
    on handler: ImageRequestHandler, isCancelled: @escaping @Sendable () -> Bool
  ) throws(SamSwiftError) -> PixelBufferObservation? {
    let state = state.withLock { $0 }
    let region = try Self.checked(state.regionOfInterest)
    let encoding = try handler.encoding(for: state.model, isCancelled: isCancelled)
    let (engine, picture) = (encoding.engine, encoding.picture)
    let key = SegmentationProgress.Key(
      handler: handler.id, model: state.model, region: state.regionOfInterest)
    var progress: SegmentationProgress
    if let known = state.progress.last(where: { $0.key == key }) {
      progress = known
    } else if let plan = plan(in: region, on: picture.geometry, engine: engine) {
      progress = SegmentationProgress(key: key, plan: plan, refinementCount: 0)
    } else {
      return nil
    }
    for refinement in state.refinements.dropFirst(progress.refinementCount) {
      progress.plan.add(refinement.prompt(on: picture.geometry))
    }
    progress.refinementCount = max(progress.refinementCount, state.refinements.count)
    var plans = [progress.plan]
    try engine.run(&plans, on: picture, isCancelled: isCancelled)
    progress.plan = plans[0]
    remember(progress)
    guard let answer = progress.plan.answer else { return nil }
    let isWhole = state.regionOfInterest == .fullImage
    let mask = picture.renderer.render(
      answer.chosen, quality: state.qualityLevel.quality,
      region: isWhole ? nil : region.pixels(on: picture.geometry))
    if isCancelled() { throw .cancelled }
    guard MaskMeasure(mask.alpha).count > 0 else { return nil }
    return PixelBufferObservation(
      mask: mask.alpha, confidence: mask.score, descriptor: descriptor)
  }

  private func remember(_ progress: SegmentationProgress) {
    state.withLock { state in
      state.progress.removeAll { $0.key == progress.key }
      state.progress.append(progress)
      if state.progress.count > Self.progressLimit { state.progress.removeFirst() }
    }
  }

  /// The plan for the seed, or nil where it shows nothing inside the region.
  private func plan(
    in region: NormalizedRect, on geometry: FrameGeometry, engine: SegmentationEngine
  ) -> (any DecodingPlan)? {
    let allowed = region.pixels(on: geometry)
    switch seed {
    case .point(let point):
      let seed = Refinement(point: point, isIncluded: true).prompt(on: geometry)
      guard allowed.contains(x: Double(seed.x), y: Double(seed.y)) else { return nil }
      return ClickPlan(points: [seed], box: nil, previous: nil, isOneByOne: engine.isOneByOne)
    case .box(let rect):
      let pixels = rect.pixels(on: geometry)
      let box = SamBox(
        x0: max(pixels.x0, allowed.x0), y0: max(pixels.y0, allowed.y0),
        x1: min(pixels.x1, allowed.x1), y1: min(pixels.y1, allowed.y1))
      // A box beside the region comes out with its edges swapped.
      guard box.x0 < box.x1 && box.y0 < box.y1, let checked = try? box.checked(in: geometry)
      else { return nil }
      return ClickPlan(points: [], box: checked, previous: nil, isOneByOne: engine.isOneByOne)
    case .scribble(let image):
      let cells = ScribbleCells(image, geometry: geometry) { cell in
        allowed.contains(
          x: (Double(cell.x) + 0.5) * Double(geometry.cellWidth),
          y: (Double(cell.y) + 0.5) * Double(geometry.cellHeight))
      }
      guard !cells.strokes.isEmpty else { return nil }
      return ScribblePlan(strokes: cells.strokes, geometry: geometry)
    }
  }

  /// The region of interest, if it is a part of the picture.
  private static func checked(
    _ region: NormalizedRect
  ) throws(SamSwiftError) -> NormalizedRect {
    let rect = region.cgRect
    // Room for the rounding of someone's arithmetic.
    let range = -1e-6...(1 + 1e-6)
    guard
      range.contains(rect.origin.x) && range.contains(rect.origin.y)
        && range.contains(rect.origin.x + rect.size.width)
        && range.contains(rect.origin.y + rect.size.height) && rect.size.width > 0
        && rect.size.height > 0
    else {
      throw .invalidPrompt(
        reason: "regionOfInterest \(region) is not a part of the picture, wanted within 0...1")
    }
    return region
  }
}

extension GenerateIterativeSegmentationRequest.Refinement {
  /// The point in the picture's pixels.
  fileprivate func prompt(on geometry: FrameGeometry) -> Prompt.Point {
    let size = CGSize(width: geometry.imageWidth, height: geometry.imageHeight)
    let pixel = point.toImageCoordinates(size, origin: .upperLeft)
    return Prompt.Point(x: Float(pixel.x), y: Float(pixel.y), isIncluded: isIncluded)
  }
}

extension NormalizedRect {
  /// The rectangle in the picture's pixels, from the upper left corner.
  fileprivate func pixels(on geometry: FrameGeometry) -> PixelRegion {
    let size = CGSize(width: geometry.imageWidth, height: geometry.imageHeight)
    let rect = toImageCoordinates(size, origin: .upperLeft)
    return PixelRegion(
      x0: rect.origin.x, y0: rect.origin.y, x1: rect.origin.x + rect.size.width,
      y1: rect.origin.y + rect.size.height)
  }
}

extension GenerateIterativeSegmentationRequest.QualityLevel {
  /// The session's word for it.
  var quality: SamQuality {
    switch self {
    case .fast: .fast
    case .balanced: .balanced
    case .accurate: .accurate
    }
  }
}
