import Foundation
import SamImageIO
import Synchronization

/// A request for the mask of an object that a person shows by a point, a box or a scribble.
///
/// Perform it, look at the mask, add points that belong to the object or do not, and perform it again
/// until the mask is right. Performed on the same ``ImageRequestHandler``, a refinement costs one run
/// of the small decoder. All coordinates are normalized to the whole picture as displayed, from its
/// lower left corner.
///
/// A request takes 13 points in all with a seed point (which counts) or a scribble, 11 with a box.
/// The result is nil where there is nothing to segment, and where the seed lies outside
/// ``regionOfInterest``.
public final class GenerateIterativeSegmentationRequest: Sendable {
  /// What the request produces: a gray mask, or nil where there is nothing to segment.
  public typealias Result = PixelBufferObservation?

  /// The revisions of this request.
  public enum Revision: Int, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// The first one.
    case revision1 = 1

    /// Whether one revision is older than another.
    public static func < (left: Revision, right: Revision) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The mask's size, and how closely its edges follow the picture.
  public enum QualityLevel: Sendable, Hashable, CaseIterable {
    /// The decoder's own grid: 128 (Lite) or 256 (MobileSAM) on the picture's long side.
    case fast
    /// The model's frame: 512 (Lite) or 1024 (MobileSAM) on the long side; the default.
    case balanced
    /// The picture's size, the edges refined by an image-guided filter.
    case accurate
  }

  /// The revisions that can be asked for.
  public static let supportedRevisions: [Revision] = Revision.allCases

  /// The revision in use.
  public let revision: Revision

  enum Seed: Sendable {
    case point(NormalizedPoint)
    case box(NormalizedRect)
    case scribble(PixelImage)
  }

  struct Refinement: Sendable {
    var point: NormalizedPoint
    var isIncluded: Bool
  }

  struct State: Sendable {
    var refinements: [Refinement] = []
    var qualityLevel: QualityLevel = .balanced
    var regionOfInterest: NormalizedRect = .fullImage
    var model: SegmentationModel = .bundled(.lite)
    /// How far the request has come on each picture, the latest last.
    var progress: [SegmentationProgress] = []
  }

  let seed: Seed
  let state = Mutex(State())

  /// Creates a request for the object at a point, which counts toward the 13.
  ///
  /// There is no result where the point lies outside ``regionOfInterest``.
  ///
  /// - Parameters:
  ///   - seedPoint: A point on the object.
  ///   - revision: nil takes the newest.
  public init(seedPoint: NormalizedPoint, _ revision: Revision? = nil) {
    seed = .point(seedPoint)
    self.revision = revision ?? .revision1
  }

  /// Creates a request for the object in a box.
  ///
  /// There is no result where the box lies outside ``regionOfInterest``.
  ///
  /// - Parameters:
  ///   - seedBox: A box round the object.
  ///   - revision: nil takes the newest.
  public init(seedBox: NormalizedRect, _ revision: Revision? = nil) {
    seed = .box(seedBox)
    self.revision = revision ?? .revision1
  }

  /// Creates a request for every object that the strokes of a scribble touch.
  ///
  /// - Parameters:
  ///   - seedScribbleBuffer: White strokes on black, gray or in colour, of any size; stretched over
  ///     the picture as displayed, top row first.
  ///   - revision: nil takes the newest.
  public init(seedScribbleBuffer: CVReadOnlyPixelBuffer, _ revision: Revision? = nil) {
    seed = .scribble(seedScribbleBuffer.image)
    self.revision = revision ?? .revision1
  }

  /// The mask's size; balanced by default.
  public var qualityLevel: QualityLevel {
    get { state.withLock(\.qualityLevel) }
    set { state.withLock { $0.qualityLevel = newValue } }
  }

  /// The part of the picture that counts; the whole picture by default.
  ///
  /// The mask always shows the whole picture and is 0 outside the region. A region without area, or
  /// one that leaves the picture, makes the request fail.
  public var regionOfInterest: NormalizedRect {
    get { state.withLock(\.regionOfInterest) }
    set { state.withLock { $0.regionOfInterest = newValue } }
  }

  /// Adds a point that belongs to the object.
  ///
  /// - Parameter point: A point on the picture.
  /// - Throws: ``VisionError/invalidOperation(_:)`` where the request has all its points,
  ///   ``VisionError/outOfBoundsError(_:)`` for a point that is not on the picture. The request then
  ///   is as it was.
  public func addIncludedPoint(_ point: NormalizedPoint) throws {
    try add(Refinement(point: point, isIncluded: true))
  }

  /// Adds a point that does not belong to the object.
  ///
  /// - Parameter point: A point on the picture.
  /// - Throws: ``VisionError/invalidOperation(_:)`` where the request has all its points,
  ///   ``VisionError/outOfBoundsError(_:)`` for a point that is not on the picture. The request then
  ///   is as it was.
  public func addExcludedPoint(_ point: NormalizedPoint) throws {
    try add(Refinement(point: point, isIncluded: false))
  }

  private func add(_ refinement: Refinement) throws(VisionError) {
    let point = refinement.point
    guard (0...1).contains(point.x) && (0...1).contains(point.y) else {
      throw .outOfBoundsError("point \(point) is not on the picture: wanted 0...1")
    }
    try state.withLock { state throws(VisionError) in
      guard state.refinements.count < refinementLimit else {
        throw .invalidOperation(
          "the request has all of its \(pointLimit) points; one more cannot be added")
      }
      state.refinements.append(refinement)
    }
  }

  /// Points in all: SAM's tokens are 13 points and a padding token, or 11 and two corners.
  private var pointLimit: Int {
    if case .box = seed { 11 } else { 13 }
  }

  /// Points that may be added; a seed point is one of the points.
  private var refinementLimit: Int {
    if case .point = seed { pointLimit - 1 } else { pointLimit }
  }
}

extension GenerateIterativeSegmentationRequest: ImageProcessingRequest {
  /// The request's kind and revision.
  public var descriptor: RequestDescriptor { .generateIterativeSegmentationRequest(revision) }

  /// Performs the request on a handler's picture.
  ///
  /// - Parameter handler: Holds the picture.
  /// - Returns: The mask, or nil where there is nothing to segment.
  /// - Throws: ``VisionError``.
  public func result(on handler: ImageRequestHandler) async throws -> PixelBufferObservation? {
    do {
      return try await withCancellableWork { isCancelled throws(SamSwiftError) in
        try self.segment(on: handler, isCancelled: isCancelled)
      }
    } catch { throw VisionError(error) }
  }

  /// Whether two variables hold the same request.
  public static func == (
    left: GenerateIterativeSegmentationRequest, right: GenerateIterativeSegmentationRequest
  ) -> Bool { left === right }

  /// Feeds the request's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The seed and the number of points.
  public var description: String {
    let seed =
      switch seed {
      case .point(let point): "point \(point)"
      case .box(let box): "box \(box)"
      case .scribble(let image): "scribble of \(image.width)×\(image.height)"
      }
    let count = state.withLock(\.refinements.count)
    return "GenerateIterativeSegmentationRequest(\(seed), \(count) more points)"
  }
}
