import Foundation
import SamImageIO
import Synchronization

/// Performs requests on one picture, which it encodes once.
///
/// The picture is read when the first request is performed; what is wrong with it is thrown there.
public final class ImageRequestHandler: Sendable {
  /// Distinguishes this handler from every other of the process.
  let id = Identifiers.next()

  /// A picture as one model sees it, with the engine that made the embedding.
  struct Encoding: Sendable {
    var engine: SegmentationEngine
    var picture: EncodedPicture
  }

  private struct State: Sendable {
    var picture: PixelImage?
    var encodings: [SegmentationModel: Encoding] = [:]
  }

  private let source: PictureSource
  private let state: Mutex<State>

  init(source: PictureSource) {
    self.source = source
    state = Mutex(State())
  }

  /// A handler for a picture that is encoded already.
  init(_ encoding: Encoding, model: SegmentationModel) {
    let picture = encoding.picture.picture
    source = .pixels(picture, .up)
    state = Mutex(State(picture: picture, encodings: [model: encoding]))
  }

  /// Creates a handler for the picture in a file.
  ///
  /// - Parameters:
  ///   - url: A PNG or JPEG file.
  ///   - orientation: How to turn the picture; nil takes the file's own.
  public convenience init(_ url: URL, orientation: CGImagePropertyOrientation? = nil) {
    self.init(source: .file(url, orientation?.image))
  }

  /// Creates a handler for the picture in the bytes of a file.
  ///
  /// - Parameters:
  ///   - data: The bytes of a PNG or JPEG file.
  ///   - orientation: How to turn the picture; nil takes the file's own.
  public convenience init(_ data: Data, orientation: CGImagePropertyOrientation? = nil) {
    self.init(source: .data(data, orientation?.image))
  }

  /// Creates a handler for a picture in memory.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - orientation: How to turn it; nil leaves it.
  public convenience init(_ image: CGImage, orientation: CGImagePropertyOrientation? = nil) {
    self.init(source: .pixels(image, orientation?.image ?? .up))
  }

  /// Creates a handler for the picture in a pixel buffer.
  ///
  /// - Parameters:
  ///   - pixelBuffer: The picture.
  ///   - orientation: How to turn it; nil leaves it.
  public convenience init(
    _ pixelBuffer: CVReadOnlyPixelBuffer, orientation: CGImagePropertyOrientation? = nil
  ) {
    self.init(pixelBuffer.image, orientation: orientation)
  }

  /// Creates a handler for the picture in a pixel buffer, which is copied.
  ///
  /// - Parameters:
  ///   - pixelBuffer: The picture.
  ///   - orientation: How to turn it; nil leaves it.
  public convenience init(
    _ pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil
  ) {
    self.init(pixelBuffer.image, orientation: orientation)
  }

  /// Performs a request on the picture.
  ///
  /// - Parameter request: What to do.
  /// - Returns: What the request produces.
  /// - Throws: ``VisionError``; a cancelled task gets ``VisionError/requestCancelled(_:)`` promptly.
  public func perform<T: VisionRequest>(_ request: T) async throws -> T.Result {
    try await request.result(on: self)
  }

  /// Performs several requests on the picture, one after another.
  ///
  /// - Parameter request: What to do.
  /// - Returns: What the requests produce, in their order.
  /// - Throws: The first request's error.
  public func perform<each T: VisionRequest>(
    _ request: repeat each T
  ) async throws -> (repeat (each T).Result) {
    (repeat try await (each request).result(on: self))
  }

  /// Performs requests on the picture and hands out each result as it comes.
  ///
  /// - Parameter requests: What to do.
  /// - Returns: As many results as requests; failures are among them.
  public func performAll(
    _ requests: some Collection<any VisionRequest>
  ) -> some AsyncSequence<VisionResult, Never> {
    let requests = Array(requests)
    return AsyncStream<VisionResult> { continuation in
      let task = Task {
        for request in requests { continuation.yield(await VisionResult(of: request, on: self)) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// The picture as a model sees it, encoded if this is the first time.
  ///
  /// Callers that come meanwhile wait for it instead of encoding it again.
  func encoding(
    for model: SegmentationModel, isCancelled: @escaping @Sendable () -> Bool
  ) throws(SamSwiftError) -> Encoding {
    try state.withLock { state throws(SamSwiftError) in
      if let known = state.encodings[model] { return known }
      let engine = try SegmentationEngine(model: model, configuration: .bestAvailable)
      if isCancelled() { throw .cancelled }
      let picture: PixelImage
      if let known = state.picture { picture = known } else { picture = try source.read() }
      state.picture = picture
      let encoding = Encoding(
        engine: engine, picture: try engine.encode(picture, isCancelled: isCancelled))
      state.encodings[model] = encoding
      return encoding
    }
  }
}

extension VisionResult {
  /// Performs a request of whatever kind.
  fileprivate init(of request: any VisionRequest, on handler: ImageRequestHandler) async {
    do {
      switch request {
      case let request as GenerateIterativeSegmentationRequest:
        self = .generateIterativeSegmentation(request, try await handler.perform(request))
      default:
        throw VisionError.unsupportedRequest("\(request) has no place among the results")
      }
    } catch { self = .error(request, error) }
  }
}

extension CGImagePropertyOrientation {
  /// The image module's word for it.
  fileprivate var image: ImageOrientation {
    switch self {
    case .up: .up
    case .upMirrored: .upMirrored
    case .down: .down
    case .downMirrored: .downMirrored
    case .leftMirrored: .leftMirrored
    case .right: .right
    case .rightMirrored: .rightMirrored
    case .left: .left
    }
  }
}

/// Numbers that no other handler of the process has.
private enum Identifiers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
