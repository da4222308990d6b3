/// What can go wrong when a picture is edited with a mask; each case says what was wanted and what came.
public enum EditingError: Error, Equatable, Sendable {
  /// A mask and a picture that belong together have different sizes, in pixels.
  case sizeMismatch(
    what: String, wantedWidth: Int, wantedHeight: Int, actualWidth: Int, actualHeight: Int)
  /// A mask has to be gray.
  case notGray(what: String, channels: Int)
  /// An option's value cannot be used.
  case invalidOption(name: String, value: String, wanted: String)
  /// The result would have more pixels than a picture may have.
  case resultTooLarge(width: Int, height: Int, limit: Int)
  /// Run lengths that describe no mask.
  case malformedRunLengths(reason: String)
}

extension EditingError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .sizeMismatch(let what, let wantedWidth, let wantedHeight, let width, let height):
      "\(what): wanted \(wantedWidth)×\(wantedHeight) pixels, came \(width)×\(height)"
    case .notGray(let what, let channels):
      "\(what): wanted 1 channel, came \(channels)"
    case .invalidOption(let name, let value, let wanted):
      "\(name) cannot be \(value): wanted \(wanted)"
    case .resultTooLarge(let width, let height, let limit):
      "a result of \(width)×\(height) pixels is larger than the limit of \(limit) pixels"
    case .malformedRunLengths(let reason):
      "the run lengths describe no mask: \(reason)"
    }
  }
}
