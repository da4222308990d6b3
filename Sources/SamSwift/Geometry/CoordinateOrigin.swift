import Foundation

/// The corner of a picture that coordinates count from.
public enum CoordinateOrigin: Sendable, Hashable, CaseIterable {
  /// y grows upwards: Vision's own convention.
  case lowerLeft
  /// y grows downwards: rows of pixels, and most Linux software.
  case upperLeft
}
