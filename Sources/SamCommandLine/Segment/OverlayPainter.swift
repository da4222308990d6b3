import SamSwift

/// Draws a mask, its outline and the prompts over a picture.
///
/// Cost: linear in the pixels.
struct OverlayPainter {
  /// Red, green, blue.
  typealias Color = (UInt8, UInt8, UInt8)

  private static let fill: Color = (255, 64, 129)
  private static let outline: Color = (255, 255, 255)
  private static let include: Color = (46, 204, 64)
  private static let exclude: Color = (255, 65, 54)
  private static let frame: Color = (255, 220, 0)
  private static let rim: Color = (255, 255, 255)
  private static let fillStrength = 0.45

  let width: Int
  let height: Int
  /// RGB, row-major.
  private(set) var pixels: [UInt8]

  /// Widths of lines and marks grow with the picture, so that they show when it is shrunk.
  private var unit: Int { max(1, (max(width, height) + 250) / 500) }

  /// - Parameter picture: Transparent parts are laid on white.
  init(_ picture: PixelImage) {
    width = picture.width
    height = picture.height
    pixels = picture.flattened().converted(toChannels: 3).pixels
  }

  /// The picture with everything drawn on it.
  var image: PixelImage { PixelImage(width: width, height: height, channels: 3, pixels: pixels) }

  /// Tints what the mask covers and draws its outline.
  ///
  /// - Parameter mask: Gray, of the picture's size; 128 and above is inside.
  mutating func paint(mask: PixelImage) {
    precondition(
      mask.channels == 1 && mask.width == width && mask.height == height,
      "the mask is not one of this picture")
    let alpha = mask.pixels
    for index in alpha.indices where alpha[index] > 0 {
      blend(index, Self.fill, strength: Self.fillStrength * Double(alpha[index]) / 255)
    }
    let interior = Self.interior(of: alpha, width: width, height: height, margin: unit)
    for index in alpha.indices where alpha[index] >= 128 && !interior[index] {
      blend(index, Self.outline, strength: 1)
    }
  }

  /// Draws the clicks and the box.
  mutating func paint(_ prompt: SamPrompt) {
    if let box = prompt.box { paint(box) }
    for point in prompt.points {
      disc(x: point.x, y: point.y, radius: Double(5 * unit), Self.rim)
      let color = point.label == .include ? Self.include : Self.exclude
      disc(x: point.x, y: point.y, radius: Double(5 * unit) * 0.7, color)
    }
  }

  private mutating func paint(_ box: SamBox) {
    let left = Int(box.x0)
    let top = Int(box.y0)
    let right = max(left + 1, Int(box.x1.rounded(.up)))
    let bottom = max(top + 1, Int(box.y1.rounded(.up)))
    for offset in 0..<(2 * unit) {
      for x in left..<right {
        set(x, top + offset, Self.frame)
        set(x, bottom - 1 - offset, Self.frame)
      }
      for y in top..<bottom {
        set(left + offset, y, Self.frame)
        set(right - 1 - offset, y, Self.frame)
      }
    }
  }

  /// A disc with a soft edge of one pixel; its centre lies in the picture.
  private mutating func disc(x: Double, y: Double, radius: Double, _ color: Color) {
    for row in max(0, Int(y - radius) - 1)..<min(height, Int(y + radius) + 2) {
      for column in max(0, Int(x - radius) - 1)..<min(width, Int(x + radius) + 2) {
        let dx = Double(column) + 0.5 - x
        let dy = Double(row) + 0.5 - y
        let coverage = radius + 0.5 - (dx * dx + dy * dy).squareRoot()
        if coverage > 0 { blend(row * width + column, color, strength: min(1, coverage)) }
      }
    }
  }

  private mutating func set(_ x: Int, _ y: Int, _ color: Color) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    blend(y * width + x, color, strength: 1)
  }

  private mutating func blend(_ index: Int, _ color: Color, strength: Double) {
    func mix(_ offset: Int, _ value: UInt8) {
      let old = Double(pixels[index * 3 + offset])
      pixels[index * 3 + offset] = UInt8(old + (Double(value) - old) * strength + 0.5)
    }
    mix(0, color.0)
    mix(1, color.1)
    mix(2, color.2)
  }

  /// Pixels whose whole neighbourhood of `margin` in each direction lies inside; beyond the
  /// picture's edge counts as inside, so that an object cut by the edge has no outline there.
  private static func interior(
    of alpha: [UInt8], width: Int, height: Int, margin: Int
  ) -> [Bool] {
    var inside = alpha.map { $0 >= 128 }
    erode(&inside, lines: height, lineStride: width, length: width, stride: 1, margin: margin)
    erode(&inside, lines: width, lineStride: 1, length: height, stride: width, margin: margin)
    return inside
  }

  /// One direction of the erosion: each element becomes whether no element within `margin` is out.
  private static func erode(
    _ inside: inout [Bool], lines: Int, lineStride: Int, length: Int, stride: Int, margin: Int
  ) {
    var nearestOut = [Int](repeating: 0, count: length)
    for line in 0..<lines {
      let start = line * lineStride
      var out = -margin - 1
      for i in 0..<length {
        if !inside[start + i * stride] { out = i }
        nearestOut[i] = i - out
      }
      out = length + margin
      for i in (0..<length).reversed() {
        if !inside[start + i * stride] { out = i }
        inside[start + i * stride] = nearestOut[i] > margin && out - i > margin
      }
    }
  }
}
