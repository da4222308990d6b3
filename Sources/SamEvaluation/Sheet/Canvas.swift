import SamSwift

/// An RGB picture that is drawn on; what lies outside it is not drawn.
struct Canvas {
  /// Red, green, blue.
  typealias Color = (UInt8, UInt8, UInt8)

  let width: Int
  let height: Int
  private var pixels: [UInt8]

  /// A dark gray canvas.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 32, count: width * height * 3)
  }

  /// A picture without alpha, to be drawn on.
  init(_ picture: PixelImage) {
    width = picture.width
    height = picture.height
    pixels = picture.flattened().converted(toChannels: 3).pixels
  }

  var image: PixelImage { PixelImage(width: width, height: height, channels: 3, pixels: pixels) }

  /// Mixes a colour into a pixel; strength 1 replaces it.
  mutating func blend(_ x: Int, _ y: Int, _ color: Color, strength: Float) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    let start = (y * width + x) * 3
    for (offset, value) in [color.0, color.1, color.2].enumerated() {
      let old = Float(pixels[start + offset])
      pixels[start + offset] = UInt8(old + (Float(value) - old) * strength + 0.5)
    }
  }

  /// A disc with a white rim.
  mutating func mark(x: Double, y: Double, radius: Double, color: Color) {
    for (radius, color) in [(radius, (255, 255, 255) as Color), (radius - 1.5, color)] {
      for row in Int(y - radius) - 1...Int(y + radius) + 1 {
        for column in Int(x - radius) - 1...Int(x + radius) + 1 {
          let dx = Double(column) + 0.5 - x
          let dy = Double(row) + 0.5 - y
          let coverage = radius + 0.5 - (dx * dx + dy * dy).squareRoot()
          blend(column, row, color, strength: Float(min(1, max(0, coverage))))
        }
      }
    }
  }

  /// Lays an RGB picture on the canvas.
  mutating func draw(_ picture: PixelImage, x: Int, y: Int) {
    for row in 0..<picture.height {
      for column in 0..<picture.width {
        let pixel = picture[column, row]
        let start = pixel.startIndex
        blend(
          x + column, y + row, (pixel[start], pixel[start + 1], pixel[start + 2]), strength: 1)
      }
    }
  }

  /// Writes one line in ``TinyFont``.
  mutating func write(_ text: String, x: Int, y: Int, color: Color) {
    for (index, character) in text.uppercased().enumerated() {
      for (column, row) in TinyFont.pixels(of: character) {
        blend(x + index * TinyFont.advance + column, y + row, color, strength: 1)
      }
    }
  }
}
