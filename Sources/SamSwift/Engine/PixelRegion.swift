import SamImageIO

/// A rectangle in pixels of the picture, from the upper left corner.
struct PixelRegion: Sendable, Equatable {
  var x0: Double
  var y0: Double
  var x1: Double
  var y1: Double

  func contains(x: Double, y: Double) -> Bool {
    x >= x0 && x <= x1 && y >= y0 && y <= y1
  }
}

extension PixelImage {
  /// The same gray picture with 0 wherever a pixel's centre lies outside a region.
  ///
  /// - Parameters:
  ///   - region: In pixels of the picture that the mask belongs to.
  ///   - pixelWidth: Pixels of that picture that one pixel of this one is wide.
  ///   - pixelHeight: Likewise high.
  /// - Returns: A copy.
  func blanked(outside region: PixelRegion, pixelWidth: Double, pixelHeight: Double) -> PixelImage {
    precondition(channels == 1, "a mask is gray, not of \(channels) channels")
    var bytes = [UInt8](repeating: 0, count: width * height)
    let columns = Self.inside(region.x0, region.x1, step: pixelWidth, count: width)
    for y in Self.inside(region.y0, region.y1, step: pixelHeight, count: height) {
      let row = y * width + columns.lowerBound..<y * width + columns.upperBound
      bytes.replaceSubrange(row, with: pixels[row])
    }
    return PixelImage(width: width, height: height, channels: 1, pixels: bytes)
  }

  /// Indices of the pixels whose centres lie between two positions.
  private static func inside(
    _ start: Double, _ end: Double, step: Double, count: Int
  ) -> Range<Int> {
    let first = min(max(0, Int((start / step - 0.5).rounded(.up))), count)
    let last = min(max(0, Int((end / step - 0.5).rounded(.down)) + 1), count)
    return first..<max(first, last)
  }
}
