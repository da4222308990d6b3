/// A picture in memory: 8 bits a channel, interleaved, row-major, top row first, no padding.
///
/// Values are as stored in files (sRGB, as a rule); alpha is straight, not multiplied into the
/// colours. A copy shares its pixels until one of the two is changed.
public struct PixelImage: Sendable, Hashable {
  /// Pixels of a row, at least 1.
  public let width: Int
  /// Number of rows, at least 1.
  public let height: Int
  /// Bytes of a pixel: 1 (gray), 3 (red, green, blue) or 4 (red, green, blue, alpha).
  public let channels: Int
  /// `width · height · channels` bytes.
  public private(set) var pixels: [UInt8]

  /// Makes a picture of existing pixels, without copying them.
  ///
  /// - Parameters:
  ///   - width: pixels of a row, at least 1.
  ///   - height: number of rows, at least 1.
  ///   - channels: 1 (gray), 3 (RGB) or 4 (RGBA).
  ///   - pixels: exactly `width · height · channels` bytes.
  public init(width: Int, height: Int, channels: Int, pixels: [UInt8]) {
    precondition(width > 0 && height > 0, "\(width)×\(height): a picture has at least one pixel")
    precondition(
      channels == 1 || channels == 3 || channels == 4,
      "\(channels) channels: a picture has 1, 3 or 4")
    precondition(
      Self.byteCount(width, height, channels) == pixels.count,
      "\(pixels.count) bytes do not fill \(width)×\(height)×\(channels)")
    self.width = width
    self.height = height
    self.channels = channels
    self.pixels = pixels
  }

  /// Makes a picture with one value in every channel of every pixel.
  ///
  /// - Parameters:
  ///   - width: pixels of a row, at least 1.
  ///   - height: number of rows, at least 1.
  ///   - channels: 1 (gray), 3 (RGB) or 4 (RGBA).
  ///   - value: what every byte becomes.
  public init(width: Int, height: Int, channels: Int, repeating value: UInt8) {
    guard width > 0, height > 0, channels > 0,
      let count = Self.byteCount(width, height, channels)
    else {
      preconditionFailure("\(width)×\(height)×\(channels): no picture can have this size")
    }
    self.init(
      width: width, height: height, channels: channels,
      pixels: [UInt8](repeating: value, count: count))
  }

  /// Whether there are red, green and blue.
  public var hasColor: Bool { channels >= 3 }

  /// Whether the last channel is alpha.
  public var hasAlpha: Bool { channels == 4 }

  /// Bytes from one row to the next.
  public var bytesPerRow: Int { width * channels }

  /// One channel of one pixel.
  ///
  /// - Parameters:
  ///   - x: column from the left, below `width`.
  ///   - y: row from the top, below `height`.
  ///   - channel: below `channels`.
  public subscript(x: Int, y: Int, channel: Int) -> UInt8 {
    get { pixels[index(x, y, channel)] }
    set { pixels[index(x, y, channel)] = newValue }
  }

  /// All channels of one pixel, in their order.
  ///
  /// - Parameters:
  ///   - x: column from the left, below `width`.
  ///   - y: row from the top, below `height`.
  public subscript(x: Int, y: Int) -> ArraySlice<UInt8> {
    let first = index(x, y, 0)
    return pixels[first..<first + channels]
  }

  /// Calls `body` with all pixels, which it may change.
  ///
  /// - Parameter body: takes the bytes; the pointer is not valid afterwards.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public mutating func withUnsafeMutablePixels<Result, Failure: Error>(
    _ body: (inout UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try pixels.withUnsafeMutableBufferPointer(body)
  }

  private func index(_ x: Int, _ y: Int, _ channel: Int) -> Int {
    precondition(
      x >= 0 && x < width && y >= 0 && y < height && channel >= 0 && channel < channels,
      "pixel (\(x), \(y)), channel \(channel) is outside a \(self)")
    return (y * width + x) * channels + channel
  }

  /// nil where the product does not fit in an `Int`.
  private static func byteCount(_ width: Int, _ height: Int, _ channels: Int) -> Int? {
    let (area, areaOverflow) = width.multipliedReportingOverflow(by: height)
    let (count, countOverflow) = area.multipliedReportingOverflow(by: channels)
    return areaOverflow || countOverflow ? nil : count
  }
}

extension PixelImage: CustomStringConvertible {
  /// Size and channels; not the pixels.
  public var description: String {
    "\(width)×\(height) \(hasAlpha ? "RGBA" : hasColor ? "RGB" : "gray") picture"
  }
}
