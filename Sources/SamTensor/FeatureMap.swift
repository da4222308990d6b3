/// A channels-last map: `height × width × channels` floats with a border of `border` pixels round it.
///
/// A map with a zero border of 1 is what a 3×3 convolution reads; tokens are a map without a border.
package struct FeatureMap: Sendable {
  package let height: Int
  package let width: Int
  package let channels: Int
  package let border: Int
  package let buffer: FloatBuffer

  /// Wraps a buffer of at least ``count(height:width:channels:border:)`` floats.
  package init(height: Int, width: Int, channels: Int, border: Int = 0, buffer: FloatBuffer) {
    precondition(
      buffer.count
        >= Self.count(height: height, width: width, channels: channels, border: border))
    self.height = height
    self.width = width
    self.channels = channels
    self.border = border
    self.buffer = buffer
  }

  package static func count(height: Int, width: Int, channels: Int, border: Int) -> Int {
    (height + 2 * border) * (width + 2 * border) * channels
  }

  /// Floats from one row to the next.
  package var pitch: Int { (width + 2 * border) * channels }

  /// Pixels without the border.
  package var pixels: Int { height * width }

  /// The first channel of pixel (y, x); `−border ≤ y < height + border`, likewise x.
  package func pixel(_ y: Int, _ x: Int) -> UnsafeMutablePointer<Float> {
    buffer.pointer + (y + border) * pitch + (x + border) * channels
  }

  /// The first channel of pixel `number`, counted row after row without the border.
  package func pixel(number: Int) -> UnsafeMutablePointer<Float> {
    pixel(number / width, number % width)
  }

  /// The values without the border, row-major, channels last.
  package func values() -> [Float] {
    (0..<height).flatMap { y in
      Array(UnsafeBufferPointer(start: pixel(y, 0), count: width * channels))
    }
  }

  /// Sets the border to zero.
  package func clearBorder() {
    guard border > 0 else { return }
    let side = border * channels
    for y in -border..<height + border {
      let row = pixel(y, -border)
      if y < 0 || y >= height {
        row.update(repeating: 0, count: pitch)
      } else {
        row.update(repeating: 0, count: side)
        pixel(y, width).update(repeating: 0, count: side)
      }
    }
  }
}
