import Foundation
import SamImageIO

/// A request about a part of a picture.
public protocol ImageProcessingRequest: VisionRequest {
  /// The part of the picture that the request works on; the whole picture by default.
  var regionOfInterest: NormalizedRect { get set }
}

extension ImageProcessingRequest {
  /// Performs the request on the picture in a file.
  ///
  /// Several requests on one picture, or one request that is refined, are faster on one
  /// ``ImageRequestHandler``, which runs the encoder once.
  ///
  /// - Parameters:
  ///   - url: A PNG or JPEG file.
  ///   - orientation: How to turn the picture; nil takes the file's own.
  /// - Returns: What the request produces.
  /// - Throws: ``VisionError``.
  public func perform(
    on url: URL, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(url, orientation: orientation).perform(self)
  }

  /// Performs the request on the picture in the bytes of a file.
  ///
  /// - Parameters:
  ///   - data: The bytes of a PNG or JPEG file.
  ///   - orientation: How to turn the picture; nil takes the file's own.
  /// - Returns: What the request produces.
  /// - Throws: ``VisionError``.
  public func perform(
    on data: Data, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(data, orientation: orientation).perform(self)
  }

  /// Performs the request on a picture in memory.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - orientation: How to turn it; nil leaves it.
  /// - Returns: What the request produces.
  /// - Throws: ``VisionError``.
  public func perform(
    on image: CGImage, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(image, orientation: orientation).perform(self)
  }

  /// Performs the request on the picture in a pixel buffer.
  ///
  /// - Parameters:
  ///   - pixelBuffer: The picture.
  ///   - orientation: How to turn it; nil leaves it.
  /// - Returns: What the request produces.
  /// - Throws: ``VisionError``.
  public func perform(
    on pixelBuffer: CVReadOnlyPixelBuffer, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(pixelBuffer, orientation: orientation).perform(self)
  }
}
