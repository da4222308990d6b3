import Foundation

/// What can go wrong in a request; the cases are Vision's.
///
/// Each carries one line that says what was wanted, what came, and where.
public enum VisionError: Error, Sendable, Equatable {
  /// SamSwift has a fault.
  case internalError(String)
  /// A file of a picture or of weights cannot be read.
  case ioError(String)
  /// The operation failed.
  case operationFailed(String)
  /// A coordinate lies outside what it indexes.
  case outOfBoundsError(String)
  /// There is not enough memory.
  case outOfMemory(String)
  /// A pixel buffer cannot be made.
  case pixelBufferCreationFailed(CVReturn)
  /// The task was cancelled.
  case requestCancelled(String)
  /// There is no such moment (of requests over video).
  case timeStampNotFound(String)
  /// The operation took too long.
  case timeout(String)
  /// A value that a request was given cannot be used.
  case invalidArgument(String)
  /// Data has a format that is not supported.
  case invalidFormat(String)
  /// The picture cannot be used.
  case invalidImage(String)
  /// The model's weights cannot be used.
  case invalidModel(String)
  /// The operation is not allowed in this state.
  case invalidOperation(String)
  /// Something that the request needs is missing.
  case dataUnavailable(String)
  /// The compute device is not supported.
  case unsupportedComputeDevice(String)
  /// The compute stage is not supported.
  case unsupportedComputeStage(String)
  /// The request is not supported.
  case unsupportedRequest(String)
  /// The revision is not supported.
  case unsupportedRevision(String)
}

extension VisionError: CustomStringConvertible, LocalizedError {
  /// The line that says what happened.
  public var description: String {
    switch self {
    case .internalError(let text), .ioError(let text), .operationFailed(let text),
      .outOfBoundsError(let text), .outOfMemory(let text), .requestCancelled(let text),
      .timeStampNotFound(let text), .timeout(let text), .invalidArgument(let text),
      .invalidFormat(let text), .invalidImage(let text), .invalidModel(let text),
      .invalidOperation(let text), .dataUnavailable(let text), .unsupportedComputeDevice(let text),
      .unsupportedComputeStage(let text), .unsupportedRequest(let text),
      .unsupportedRevision(let text):
      text
    case .pixelBufferCreationFailed(let code): "a pixel buffer cannot be made (code \(code))"
    }
  }

  /// The same line, for `localizedDescription`.
  public var errorDescription: String? { description }

  /// The fault of a session, as Vision would put it.
  init(_ error: SamSwiftError) {
    let text = error.description
    switch error {
    case .modelUnavailable: self = .dataUnavailable(text)
    case .imageUnreadable: self = .invalidImage(text)
    case .noImage, .sizeMismatch, .embeddingMismatch: self = .invalidOperation(text)
    case .invalidPrompt, .invalidOptions, .editing: self = .invalidArgument(text)
    case .embeddingUnusable: self = .ioError(text)
    case .cancelled: self = .requestCancelled("the request was cancelled")
    }
  }
}
