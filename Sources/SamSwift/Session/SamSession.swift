import Foundation
import SamImageIO
import SamModel

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

  /// Opens a session; the first of its kind in a process loads the weights.
  ///
  /// - Throws: ``SamSwiftError/modelUnavailable(model:reason:)``.
  public init(
    model: SegmentationModel = .bundled(.lite), configuration: SamConfiguration = .bestAvailable
  ) throws(SamSwiftError) {
    self.model = model
    self.configuration = configuration
  }

  // MARK: The picture

  /// Encodes a picture and makes it the one that prompts are about.
  public func setImage(_ image: PixelImage) throws(SamSwiftError) {
    fatalError("in progress")
  }

  /// Reads a picture from a file, turned as displayed, encodes it and makes it the current one.
  ///
  /// - Parameters:
  ///   - url: A PNG or JPEG file.
  ///   - orientation: How to turn the picture; nil takes the file's own EXIF orientation.
  public func setImage(
    _ url: URL, orientation: ImageOrientation? = nil
  ) throws(SamSwiftError) {
    fatalError("in progress")
  }

  /// Reads a picture from the bytes of a PNG or JPEG file, encodes it and makes it the current one.
  public func setImage(
    _ data: Data, orientation: ImageOrientation? = nil
  ) throws(SamSwiftError) {
    fatalError("in progress")
  }

  /// Encodes a picture and makes it the one that prompts are about.
  public func setImage(_ image: PixelImage) async throws(SamSwiftError) {
    fatalError("in progress")
  }

  /// Reads a picture from a file, turned as displayed, encodes it and makes it the current one.
  public func setImage(
    _ url: URL, orientation: ImageOrientation? = nil
  ) async throws(SamSwiftError) {
    fatalError("in progress")
  }

  /// Reads a picture from the bytes of a PNG or JPEG file, encodes it and makes it the current one.
  public func setImage(
    _ data: Data, orientation: ImageOrientation? = nil
  ) async throws(SamSwiftError) {
    fatalError("in progress")
  }

  /// The current picture as displayed, or nil before the first ``setImage(_:)``.
  public var image: PixelImage? { nil }

  /// The current picture's embedding, to be saved or given to another session; nil without a picture.
  public var embedding: SamEmbedding? { nil }

  /// Makes a picture the current one without running the encoder.
  ///
  /// - Throws: ``SamSwiftError/embeddingMismatch(reason:)`` where the embedding is of another model
  ///   or of a picture of another size.
  public func setEmbedding(
    _ embedding: SamEmbedding, image: PixelImage
  ) throws(SamSwiftError) {
    fatalError("in progress")
  }

  // MARK: Prediction

  /// Segments what the points and the box show.
  ///
  /// - Throws: ``SamSwiftError/noImage``, ``SamSwiftError/invalidPrompt(reason:)``.
  public func predict(
    points: [SamPoint] = [], box: SamBox? = nil, maskInput: SamLogits? = nil,
    options: SamPredictOptions = SamPredictOptions()
  ) throws(SamSwiftError) -> SamResult {
    fatalError("in progress")
  }

  /// Segments every object that the white strokes of a scribble touch.
  public func predict(
    scribble: PixelImage, options: SamPredictOptions = SamPredictOptions()
  ) throws(SamSwiftError) -> SamResult {
    fatalError("in progress")
  }

  /// Segments for each prompt on its own, in one batch; one result per prompt, in order.
  public func predict(
    _ prompts: [SamPrompt], options: SamPredictOptions = SamPredictOptions()
  ) throws(SamSwiftError) -> [SamResult] {
    fatalError("in progress")
  }

  /// Segments what the points and the box show.
  public func predict(
    points: [SamPoint] = [], box: SamBox? = nil, maskInput: SamLogits? = nil,
    options: SamPredictOptions = SamPredictOptions()
  ) async throws(SamSwiftError) -> SamResult {
    fatalError("in progress")
  }

  /// Segments every object that the white strokes of a scribble touch.
  public func predict(
    scribble: PixelImage, options: SamPredictOptions = SamPredictOptions()
  ) async throws(SamSwiftError) -> SamResult {
    fatalError("in progress")
  }

  /// Segments for each prompt on its own, in one batch; one result per prompt, in order.
  public func predict(
    _ prompts: [SamPrompt], options: SamPredictOptions = SamPredictOptions()
  ) async throws(SamSwiftError) -> [SamResult] {
    fatalError("in progress")
  }
}
