/// 8-bit pixels, interleaved, row-major, top row first.
public struct PixelImage: Sendable, Hashable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// 1 (gray), 3 (RGB) or 4 (RGBA, alpha not premultiplied).
  public let channels: Int
  /// `width · height · channels` bytes.
  public let pixels: [UInt8]

  /// Creates a picture from its pixels.
  public init(width: Int, height: Int, channels: Int, pixels: [UInt8]) {
    precondition(
      pixels.count == width * height * channels,
      "\(pixels.count) bytes do not fill \(width)×\(height)×\(channels)")
    self.width = width
    self.height = height
    self.channels = channels
    self.pixels = pixels
  }
}
