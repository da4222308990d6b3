/// What can be done to a picture to make its object stand out.
///
/// Lengths are in pixels of the picture; where one is nil it grows with the picture's long side.
public enum SubjectEffect: Sendable, Hashable {
  /// The background at a share of its brightness, 0...1.
  case highlight(brightness: Double = 0.25)
  /// The background in shades of gray; `amount` 1 takes all of the colour, 0 none.
  case gray(amount: Double = 1)
  /// The background out of focus; `radius` is the blur's standard deviation, 1/60 of the long side if nil.
  case blur(radius: Double? = nil)
  /// A luminous line round the object.
  case glow(Glow = Glow())
  /// A border as if cut out with scissors, with a soft shadow.
  case sticker(Sticker = Sticker())

  /// A luminous line: full colour along the outline, and light that falls off outside it.
  public struct Glow: Sendable, Hashable {
    /// Width of the line in pixels; 1/300 of the long side if nil.
    public var width: Double?
    /// The light's colour.
    public var color: SamColor
    /// How far the light reaches beyond the line, in pixels; 1/25 of the long side if nil.
    public var blur: Double?

    /// Creates a glow.
    public init(
      width: Double? = nil, color: SamColor = SamColor(red: 255, green: 244, blue: 214),
      blur: Double? = nil
    ) {
      self.width = width
      self.color = color
      self.blur = blur
    }
  }

  /// A border of one colour and the shadow that it throws.
  public struct Sticker: Sendable, Hashable {
    /// Width of the border in pixels; 1/70 of the long side if nil.
    public var width: Double?
    /// The border's colour.
    public var color: SamColor
    /// How dark the shadow is, 0 (none) to 1.
    public var shadow: Double

    /// Creates a border.
    public init(width: Double? = nil, color: SamColor = .white, shadow: Double = 0.35) {
      self.width = width
      self.color = color
      self.shadow = shadow
    }
  }
}

extension SubjectEffect {
  /// Whether it shows on the background, which then has to be there.
  package var needsBackground: Bool {
    switch self {
    case .highlight, .gray, .blur, .glow: true
    case .sticker: false
    }
  }

  /// How far it reaches beyond the object, in pixels.
  func reach(longSide: Int) -> Int {
    switch self {
    case .highlight, .gray, .blur: 0
    case .glow(let glow): GlowLight(glow, longSide: longSide).reach
    case .sticker(let sticker): StickerBorder(sticker, longSide: longSide).reach
    }
  }

  /// Width of an opaque border, on whose outer side a travelling light runs.
  func borderWidth(longSide: Int) -> Float {
    if case .sticker(let sticker) = self {
      return StickerBorder(sticker, longSide: longSide).width
    }
    return 0
  }

  /// Checks the numbers.
  ///
  /// - Throws: ``EditingError/invalidOption(name:value:wanted:)``.
  func check() throws(EditingError) {
    switch self {
    case .highlight(let brightness): try Self.check("brightness", brightness, 0...1)
    case .gray(let amount): try Self.check("amount", amount, 0...1)
    case .blur(let radius): try Self.check("radius", radius ?? 0, 0...Self.longest)
    case .glow(let glow):
      try Self.check("width", glow.width ?? 0, 0...Self.longest)
      try Self.check("blur", glow.blur ?? 0, 0...Self.longest)
    case .sticker(let sticker):
      try Self.check("width", sticker.width ?? 0, 0...Self.longest)
      try Self.check("shadow", sticker.shadow, 0...1)
    }
  }

  /// Lengths beyond this are no effect any more; it also keeps the distances in range.
  private static let longest = 4000.0

  private static func check(
    _ name: String, _ value: Double, _ range: ClosedRange<Double>
  ) throws(EditingError) {
    guard range.contains(value) else {
      throw .invalidOption(
        name: name, value: "\(value)",
        wanted: "a number from \(range.lowerBound) to \(range.upperBound)")
    }
  }
}
