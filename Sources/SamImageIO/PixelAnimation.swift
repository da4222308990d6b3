/// A moving picture: a first frame, and after it pieces that change parts of what is shown.
public struct PixelAnimation: Sendable, Hashable {
  /// What a frame does to the pixels under it.
  public enum Blending: Sendable, Hashable {
    /// Takes their place, alpha included.
    case replace
    /// Lies over them.
    case over
  }

  /// One frame.
  public struct Frame: Sendable, Hashable {
    /// The frame's pixels; of the animation's channels.
    public var image: PixelImage
    /// Where its left edge lies, in pixels.
    public var left: Int
    /// Where its upper edge lies, in pixels.
    public var top: Int
    /// What it does to the pixels under it.
    public var blending: Blending

    /// Places a frame.
    public init(
      image: PixelImage, left: Int = 0, top: Int = 0, blending: Blending = .replace
    ) {
      self.image = image
      self.left = left
      self.top = top
      self.blending = blending
    }
  }

  /// At least one; the first fills the picture, the others lie within it.
  public let frames: [Frame]
  /// How long each is shown, in milliseconds.
  public let millisecondsPerFrame: Int
  /// How often it is played; 0 is for ever.
  public let plays: Int

  /// Width in pixels.
  public var width: Int { frames[0].image.width }
  /// Height in pixels.
  public var height: Int { frames[0].image.height }
  /// Channels of every frame.
  public var channels: Int { frames[0].image.channels }

  /// Gathers frames; the later ones must lie within the first and have its channels.
  public init(frames: [Frame], millisecondsPerFrame: Int, plays: Int = 0) {
    precondition(!frames.isEmpty, "an animation has at least one frame")
    precondition((1...60_000).contains(millisecondsPerFrame), "a frame is shown for 1 ms to 1 min")
    precondition((0...Int(Int32.max)).contains(plays), "\(plays) plays are out of range")
    let first = frames[0].image
    for frame in frames {
      precondition(
        frame.left >= 0 && frame.top >= 0 && frame.left + frame.image.width <= first.width
          && frame.top + frame.image.height <= first.height
          && frame.image.channels == first.channels,
        "a frame does not fit into the first")
    }
    precondition(frames[0].left == 0 && frames[0].top == 0, "the first frame fills the picture")
    self.frames = frames
    self.millisecondsPerFrame = millisecondsPerFrame
    self.plays = plays
  }
}
