import SamImageIO

/// A light that travels round an object's outline.
public struct Shimmer: Sendable, Hashable {
  /// The light's colour; its middle is white.
  public var color: SamColor
  /// Width of the light in pixels; 1/120 of the long side if nil.
  public var width: Double?
  /// The share of the outline that its tail takes up, 0...1.
  public var length: Double
  /// Pictures for one round.
  public var frameCount: Int
  /// How long each is shown, in milliseconds.
  public var millisecondsPerFrame: Int

  /// Creates a light.
  public init(
    color: SamColor = SamColor(red: 255, green: 214, blue: 140), width: Double? = nil,
    length: Double = 0.4, frameCount: Int = 36, millisecondsPerFrame: Int = 50
  ) {
    self.color = color
    self.width = width
    self.length = length
    self.frameCount = frameCount
    self.millisecondsPerFrame = millisecondsPerFrame
  }

  /// Checks the numbers.
  func check() throws(EditingError) {
    func fault(_ name: String, _ value: String, _ wanted: String) -> EditingError {
      .invalidOption(name: name, value: value, wanted: wanted)
    }
    guard (0...1000).contains(width ?? 1) else {
      throw fault("width", "\(width ?? 1)", "a number from 0 to 1000")
    }
    guard (0.01...1).contains(length) else {
      throw fault("length", "\(length)", "a number from 0.01 to 1")
    }
    guard (2...240).contains(frameCount) else {
      throw fault("frameCount", "\(frameCount)", "a whole number from 2 to 240")
    }
    guard (10...10_000).contains(millisecondsPerFrame) else {
      throw fault(
        "millisecondsPerFrame", "\(millisecondsPerFrame)", "a whole number from 10 to 10000")
    }
  }
}
