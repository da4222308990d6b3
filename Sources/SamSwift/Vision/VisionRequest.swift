import Foundation

/// A request that analyses a picture.
public protocol VisionRequest: CustomStringConvertible, Hashable, Sendable {
  /// What the request produces.
  associatedtype Result: Sendable

  /// The request's kind and revision.
  var descriptor: RequestDescriptor { get }

  /// Performs the request on a handler's picture; call ``ImageRequestHandler/perform(_:)`` instead.
  ///
  /// Vision keeps this step to itself; here a protocol has to say it.
  func result(on handler: ImageRequestHandler) async throws -> Result
}

/// The kinds of requests, each with its revision.
public enum RequestDescriptor: Sendable, Hashable, Codable {
  /// Segmentation of what a person points at.
  case generateIterativeSegmentationRequest(GenerateIterativeSegmentationRequest.Revision)
}

/// What one of several requests produced.
public enum VisionResult: Sendable {
  /// The mask of an iterative segmentation, or nil where there was nothing to segment.
  case generateIterativeSegmentation(
    GenerateIterativeSegmentationRequest, PixelBufferObservation?)
  /// A request that failed.
  case error(any VisionRequest, any Error)
}
