/// A picture in memory: 8 bits a channel, interleaved, row-major, top row first, no padding.
///
/// Values are as stored in files (sRGB, as a rule); alpha is straight, not multiplied into the
/// colours. A copy shares its pixels until one of the two is changed.
public struct PixelImage: Sendable, Hashable {
  /// The channels of a pixel, in their order in memory.
  public enum Format: Sendable, Hashable, CaseIterable {
    /// One channel, black to white.
    case gray
    /// Gray and alpha.
    case grayAlpha
    /// Red, green, blue.
    case rgb
    /// Red, green, blue, alpha.
    case rgba

    /// Bytes of a pixel.
    public var channels: Int {
      switch self {
      case .gray: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }

    /// Whether the last channel is alpha.
    public var hasAlpha: Bool { self == .grayAlpha || self == .rgba }

    /// Whether there are red, green and blue.
    public var hasColor: Bool { self == .rgb || self == .rgba }
  }

  /// Pixels of a row, at least 1.
  public let width: Int
  /// Number of rows, at least 1.
  public let height: Int
  /// The channels of a pixel.
  public let format: Format
  /// `height × width × format.channels` bytes.
  public private(set) var pixels: [UInt8]

  /// Makes a picture of existing pixels, without copying them.
  ///
  /// - Parameters:
  ///   - width: pixels of a row, at least 1.
  ///   - height: number of rows, at least 1.
  ///   - format: the channels of a pixel.
  ///   - pixels: exactly `width × height × format.channels` bytes.
  public init(width: Int, height: Int, format: Format, pixels: [UInt8]) {
    precondition(width > 0 && height > 0, "a picture has at least one pixel")
    precondition(
      Self.byteCount(width, height, format) == pixels.count,
      "\(width) × \(height) pixels in \(format) do not take \(pixels.count) bytes")
    self.width = width
    self.height = height
    self.format = format
    self.pixels = pixels
  }

  /// Makes a picture with one value in every channel of every pixel.
  ///
  /// - Parameters:
  ///   - width: pixels of a row, at least 1.
  ///   - height: number of rows, at least 1.
  ///   - format: the channels of a pixel.
  ///   - value: what every byte becomes.
  public init(width: Int, height: Int, format: Format, repeating value: UInt8) {
    precondition(width > 0 && height > 0, "a picture has at least one pixel")
    guard let count = Self.byteCount(width, height, format) else {
      preconditionFailure("\(width) × \(height) pixels do not fit in memory")
    }
    self.init(
      width: width, height: height, format: format,
      pixels: [UInt8](repeating: value, count: count))
  }

  /// Bytes from one row to the next.
  public var bytesPerRow: Int { width * format.channels }

  /// One channel of one pixel.
  ///
  /// - Parameters:
  ///   - x: column from the left, below `width`.
  ///   - y: row from the top, below `height`.
  ///   - channel: place in the format's order, below `format.channels`.
  public subscript(x: Int, y: Int, channel: Int) -> UInt8 {
    get { pixels[index(x, y, channel)] }
    set { pixels[index(x, y, channel)] = newValue }
  }

  /// All channels of one pixel, in the format's order.
  ///
  /// - Parameters:
  ///   - x: column from the left, below `width`.
  ///   - y: row from the top, below `height`.
  public subscript(x: Int, y: Int) -> ArraySlice<UInt8> {
    let first = index(x, y, 0)
    return pixels[first..<first + format.channels]
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
      x >= 0 && x < width && y >= 0 && y < height && channel >= 0 && channel < format.channels,
      "pixel (\(x), \(y)), channel \(channel) is outside \(self)")
    return (y * width + x) * format.channels + channel
  }

  /// nil where the product does not fit in an `Int`.
  static func byteCount(_ width: Int, _ height: Int, _ format: Format) -> Int? {
    let (area, areaOverflow) = width.multipliedReportingOverflow(by: height)
    let (count, countOverflow) = area.multipliedReportingOverflow(by: format.channels)
    return areaOverflow || countOverflow ? nil : count
  }
}

extension PixelImage: CustomStringConvertible {
  /// Size and format; not the pixels.
  public var description: String { "\(width)×\(height) \(format) image" }
}
