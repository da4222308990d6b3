import Foundation
import SamImageIO
import SamModel
import Synchronization

/// Segments one picture after another, in pixels from the upper left corner.
///
/// Set a picture once (one run of the encoder), then predict as often as you like (one run of the
/// small decoder each). Safe to use from several tasks at once; sessions of one model and
/// configuration share their weights. Every method has a synchronous form that computes on the
/// calling thread, and an `async` form that computes elsewhere and returns promptly with
/// ``SamSwiftError/cancelled`` when its task is cancelled.
public final class SamSession: Sendable {
  /// The model that segments.
  public let model: SegmentationModel

  /// How it computes.
  public let configuration: SamConfiguration

  let engine: SegmentationEngine
  private let current = Mutex<EncodedPicture?>(nil)

  /// Opens a session; the first of its kind in a process loads the weights.
  ///
  /// - Parameters:
  ///   - model: A model by name, or a weights file.
  ///   - configuration: Threads and number format.
  /// - Throws: ``SamSwiftError/modelUnavailable(model:reason:)``.
  public init(
    model: SegmentationModel = .bundled(.lite), configuration: SamConfiguration = .bestAvailable
  ) throws(SamSwiftError) {
    self.model = model
    self.configuration = configuration
    engine = try SegmentationEngine(model: model, configuration: configuration)
  }

  /// The current picture as displayed, or nil before the first ``setImage(_:)``.
  public var image: PixelImage? { encoded?.picture }

  /// The current picture with what was computed for it.
  var encoded: EncodedPicture? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// The current picture, or an error where there is none.
  func requirePicture() throws(SamSwiftError) -> EncodedPicture {
    guard let encoded else { throw .noImage }
    return encoded
  }

  /// Reads, encodes and keeps a picture.
  func set(
    _ source: PictureSource, isCancelled: @escaping @Sendable () -> Bool
  ) throws(SamSwiftError) {
    let clock = ContinuousClock()
    let start = clock.now
    let picture = try source.read()
    let decodeImage = source.isDecoded ? .zero : clock.now - start
    if isCancelled() { throw .cancelled }
    let encoded = try engine.encode(picture, decodeImage: decodeImage, isCancelled: isCancelled)
    self.encoded = encoded
  }
}

extension SamSession {
  /// How often the session's network has run its encoder; tests count reuse with it.
  package var encodeCount: Int { engine.network.encodeCount }
}
