/// A colour as it is stored in files: sRGB with straight alpha, 8 bits a channel.
public struct SamColor: Sendable, Hashable {
  /// Red, 0...255.
  public var red: UInt8
  /// Green, 0...255.
  public var green: UInt8
  /// Blue, 0...255.
  public var blue: UInt8
  /// Opacity, 0...255.
  public var alpha: UInt8

  /// Creates a colour.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Reads `#rgb`, `#rrggbb`, `#rrggbbaa` (the `#` may be left out) or one of ``names``; nil for anything else.
  public init?(_ text: String) {
    let word = text.lowercased()
    if let named = Self.named[word] {
      self = named
      return
    }
    let digits = word.drop { $0 == "#" }
    guard word.count - digits.count <= 1, digits.utf8.count == digits.count,
      let value = UInt32(digits, radix: 16), digits.first != "+"
    else { return nil }
    func byte(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
    switch digits.count {
    case 3:
      let nibbles = [8, 4, 0].map { UInt8(value >> $0 & 15) * 17 }
      self.init(red: nibbles[0], green: nibbles[1], blue: nibbles[2])
    case 6: self.init(red: byte(16), green: byte(8), blue: byte(0))
    case 8: self.init(red: byte(24), green: byte(16), blue: byte(8), alpha: byte(0))
    default: return nil
    }
  }

  /// Opaque white.
  public static let white = SamColor(red: 255, green: 255, blue: 255)
  /// Opaque black.
  public static let black = SamColor(red: 0, green: 0, blue: 0)

  /// The colours that go by a name, with CSS's values.
  public static let names: [String] = named.keys.sorted()

  private static let named: [String: SamColor] = [
    "white": .white, "black": .black, "gray": SamColor(red: 128, green: 128, blue: 128),
    "silver": SamColor(red: 192, green: 192, blue: 192),
    "red": SamColor(red: 255, green: 0, blue: 0),
    "green": SamColor(red: 0, green: 128, blue: 0), "lime": SamColor(red: 0, green: 255, blue: 0),
    "blue": SamColor(red: 0, green: 0, blue: 255), "navy": SamColor(red: 0, green: 0, blue: 128),
    "teal": SamColor(red: 0, green: 128, blue: 128),
    "cyan": SamColor(red: 0, green: 255, blue: 255),
    "magenta": SamColor(red: 255, green: 0, blue: 255),
    "purple": SamColor(red: 128, green: 0, blue: 128),
    "yellow": SamColor(red: 255, green: 255, blue: 0),
    "gold": SamColor(red: 255, green: 215, blue: 0),
    "orange": SamColor(red: 255, green: 165, blue: 0),
    "pink": SamColor(red: 255, green: 192, blue: 203),
    "brown": SamColor(red: 165, green: 42, blue: 42),
  ]
}

extension SamColor: CustomStringConvertible {
  /// `#rrggbb`, or `#rrggbbaa` where the colour is not opaque.
  public var description: String {
    "#"
      + [red, green, blue, alpha].prefix(alpha == 255 ? 3 : 4).map { value in
        (value < 16 ? "0" : "") + String(value, radix: 16)
      }.joined()
  }
}

extension SamColor {
  /// The colours multiplied by alpha, and alpha; each 0...255.
  var premultiplied: SIMD4<Float> {
    let colour = SIMD4<Float>(Float(red), Float(green), Float(blue), 255)
    return colour * (Float(alpha) / 255)
  }
}
