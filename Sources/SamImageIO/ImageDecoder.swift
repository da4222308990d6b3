public import Foundation

/// Reads PNG and JPEG files, recognised by content; pictures come as they are displayed.
///
/// PNG: 1, 2, 4, 8 and 16 bits (16 are rounded to 8), gray, gray with alpha, palette, RGB, RGBA,
/// transparency of a single colour, interlaced. JPEG: baseline and progressive; gray, YCbCr, RGB,
/// CMYK and YCCK (inverted, as all known writers store them). Values are those of the file: gamma
/// and colour profiles are not applied. Whatever a file holds, the outcome is a picture or an
/// ``ImageIOError``.
public struct ImageDecoder: Sendable {
  /// What becomes of a picture that is stored turned or mirrored.
  public enum OrientationRule: Sendable, Hashable {
    /// Turn it by the orientation in its EXIF data.
    case asDisplayed
    /// Leave it as it is stored.
    case asStored
    /// Turn it by this orientation, whatever the file says.
    case explicit(ImageOrientation)
  }

  /// The most pixels that a picture may have: 16,384 squared.
  public static let defaultMaximumPixelCount = 268_435_456

  /// What becomes of a picture that is stored turned or mirrored.
  public var orientation: OrientationRule
  /// The most pixels that a picture may have; checked in the header, before memory is taken.
  public var maximumPixelCount: Int

  /// Makes a decoder.
  ///
  /// - Parameters:
  ///   - orientation: what becomes of a picture that is stored turned or mirrored.
  ///   - maximumPixelCount: the most pixels that a picture may have.
  public init(
    orientation: OrientationRule = .asDisplayed,
    maximumPixelCount: Int = ImageDecoder.defaultMaximumPixelCount
  ) {
    self.orientation = orientation
    self.maximumPixelCount = maximumPixelCount
  }

  /// Reads a picture from a file.
  ///
  /// Memory: the file and one copy of the pixels; a second copy only for a turned PNG.
  ///
  /// - Parameter url: a file URL.
  /// - Returns: the picture.
  /// - Throws: ``ImageIOError`` with the file's path.
  public func decode(contentsOf url: URL) throws(ImageIOError) -> PixelImage {
    let file = try ImageFile(contentsOf: url)
    return try file.bytes.withUnsafeBufferPointer { bytes throws(ImageIOError) in
      try decode(bytes, format: file.format, name: file.name)
    }
  }

  /// Reads a picture from memory.
  ///
  /// - Parameters:
  ///   - data: the contents of a file.
  ///   - name: what errors call it.
  /// - Returns: the picture.
  /// - Throws: ``ImageIOError`` with `name`.
  public func decode(_ data: Data, name: String = "image data") throws(ImageIOError) -> PixelImage {
    try withBytes(of: data, name: name) { bytes, format throws(ImageIOError) in
      try decode(bytes, format: format, name: name)
    }
  }

  /// Reads a file's header only: format, size, orientation.
  ///
  /// - Parameter url: a file URL.
  /// - Returns: what the header says; the pixels may still turn out to be damaged.
  /// - Throws: ``ImageIOError`` with the file's path.
  public func probe(contentsOf url: URL) throws(ImageIOError) -> ImageInformation {
    let file = try ImageFile(contentsOf: url)
    return try file.bytes.withUnsafeBufferPointer { bytes throws(ImageIOError) in
      try probe(bytes, format: file.format, name: file.name)
    }
  }

  /// Reads the header only of a file in memory: format, size, orientation.
  ///
  /// - Parameters:
  ///   - data: the contents of a file.
  ///   - name: what errors call it.
  /// - Returns: what the header says; the pixels may still turn out to be damaged.
  /// - Throws: ``ImageIOError`` with `name`.
  public func probe(
    _ data: Data, name: String = "image data"
  ) throws(ImageIOError) -> ImageInformation {
    try withBytes(of: data, name: name) { bytes, format throws(ImageIOError) in
      try probe(bytes, format: format, name: name)
    }
  }

  private func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, format: ImageFormat, name: String
  ) throws(ImageIOError) -> PixelImage {
    switch format {
    case .png: try PNGDecoder(bytes: bytes, name: name).decode(by: self)
    case .jpeg: try JPEGDecoder(bytes: bytes, name: name).decode(by: self)
    }
  }

  private func probe(
    _ bytes: UnsafeBufferPointer<UInt8>, format: ImageFormat, name: String
  ) throws(ImageIOError) -> ImageInformation {
    let information =
      switch format {
      case .png: try PNGDecoder(bytes: bytes, name: name).information
      case .jpeg: try JPEGDecoder(bytes: bytes, name: name).information
      }
    try check(information, name: name)
    return information
  }

  /// Refuses a picture that has too many pixels.
  func check(_ information: ImageInformation, name: String) throws(ImageIOError) {
    let (area, overflow) = information.storedWidth.multipliedReportingOverflow(
      by: information.storedHeight)
    guard !overflow, area <= maximumPixelCount else {
      throw .tooManyPixels(
        file: name, width: information.storedWidth, height: information.storedHeight,
        limit: maximumPixelCount)
    }
  }

  /// The orientation to turn a picture by, given its own.
  func orientation(given own: ImageOrientation) -> ImageOrientation {
    switch orientation {
    case .asDisplayed: own
    case .asStored: .up
    case .explicit(let explicit): explicit
    }
  }

  /// Recognises the format and calls `body`; `Data` itself cannot carry a typed error through.
  private func withBytes<Value>(
    of data: Data, name: String,
    _ body: (UnsafeBufferPointer<UInt8>, ImageFormat) throws(ImageIOError) -> Value
  ) throws(ImageIOError) -> Value {
    guard !data.isEmpty else { throw .empty(file: name) }
    guard let format = ImageFormat(firstBytes: data) else { throw .unknownFormat(file: name) }
    let result = data.withUnsafeBytes { raw in
      Result { () throws(ImageIOError) in
        try body(raw.assumingMemoryBound(to: UInt8.self), format)
      }
    }
    return try result.get()
  }
}

/// What a picture file's header says.
public struct ImageInformation: Sendable, Hashable {
  /// The file's format, recognised by content.
  public let format: ImageFormat
  /// Pixels of a stored row.
  public let storedWidth: Int
  /// Number of stored rows.
  public let storedHeight: Int
  /// How the stored picture is turned for display.
  public let orientation: ImageOrientation

  /// Pixels of a row as displayed.
  public var width: Int { orientation.swapsSides ? storedHeight : storedWidth }
  /// Number of rows as displayed.
  public var height: Int { orientation.swapsSides ? storedWidth : storedHeight }
}
