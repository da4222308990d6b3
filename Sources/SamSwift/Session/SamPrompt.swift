import SamImageIO

/// A click, in pixels of the displayed picture from its upper left corner.
public struct SamPoint: Sendable, Hashable {
  /// What a click says about the object.
  public enum Label: Sendable, Hashable {
    /// The point lies on the object.
    case include
    /// The point does not lie on the object.
    case exclude
  }

  /// Pixels from the left edge; the centre of the first pixel is 0.5.
  public var x: Double
  /// Pixels from the upper edge.
  public var y: Double
  /// Whether the object holds this point.
  public var label: Label

  /// Creates a click.
  public init(x: Double, y: Double, label: Label = .include) {
    self.x = x
    self.y = y
    self.label = label
  }
}

/// A rectangle in pixels of the displayed picture from its upper left corner.
public struct SamBox: Sendable, Hashable {
  /// Left edge.
  public var x0: Double
  /// Upper edge.
  public var y0: Double
  /// Right edge.
  public var x1: Double
  /// Lower edge.
  public var y1: Double

  /// Creates a box from two opposite corners, in any order.
  public init(x0: Double, y0: Double, x1: Double, y1: Double) {
    self.x0 = x0
    self.y0 = y0
    self.x1 = x1
    self.y1 = y1
  }

  /// Width in pixels; negative if the corners are swapped.
  public var width: Double { x1 - x0 }
  /// Height in pixels; negative if the corners are swapped.
  public var height: Double { y1 - y0 }
}

/// Everything that points at one object.
public struct SamPrompt: Sendable {
  /// Clicks, in the order in which they were made.
  public var points: [SamPoint]
  /// A box round the object.
  public var box: SamBox?
  /// The logits of an earlier answer for the same picture and model, to be refined.
  public var maskInput: SamLogits?
  /// White strokes on black, of any size, stretched over the picture; every object touched is meant.
  public var scribble: PixelImage?

  /// Creates a prompt; at least one part has to point at something.
  public init(
    points: [SamPoint] = [], box: SamBox? = nil, maskInput: SamLogits? = nil,
    scribble: PixelImage? = nil
  ) {
    self.points = points
    self.box = box
    self.maskInput = maskInput
    self.scribble = scribble
  }
}
