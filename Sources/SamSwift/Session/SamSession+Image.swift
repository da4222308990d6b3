import Foundation
import SamImageIO

extension SamSession {
  /// Encodes a picture and makes it the one that prompts are about.
  ///
  /// - Throws: ``SamSwiftError/imageUnreadable(reason:)`` for a picture without pixels.
  public func setImage(_ image: PixelImage) throws(SamSwiftError) {
    try set(.pixels(image, .up), isCancelled: { false })
  }

  /// Reads a picture from a file, turned as displayed, encodes it and makes it the current one.
  ///
  /// - Parameters:
  ///   - url: A PNG or JPEG file.
  ///   - orientation: How to turn the picture; nil takes the file's own EXIF orientation.
  /// - Throws: ``SamSwiftError/imageUnreadable(reason:)``.
  public func setImage(
    _ url: URL, orientation: ImageOrientation? = nil
  ) throws(SamSwiftError) {
    try set(.file(url, orientation), isCancelled: { false })
  }

  /// Reads a picture from the bytes of a PNG or JPEG file, encodes it and makes it the current one.
  ///
  /// - Parameters:
  ///   - data: The bytes of the file.
  ///   - orientation: How to turn the picture; nil takes the file's own EXIF orientation.
  /// - Throws: ``SamSwiftError/imageUnreadable(reason:)``.
  public func setImage(
    _ data: Data, orientation: ImageOrientation? = nil
  ) throws(SamSwiftError) {
    try set(.data(data, orientation), isCancelled: { false })
  }

  /// Encodes a picture and makes it the one that prompts are about.
  ///
  /// - Throws: ``SamSwiftError/imageUnreadable(reason:)``, ``SamSwiftError/cancelled``.
  public func setImage(_ image: PixelImage) async throws(SamSwiftError) {
    try await setInBackground(.pixels(image, .up))
  }

  /// Reads a picture from a file, turned as displayed, encodes it and makes it the current one.
  ///
  /// - Parameters:
  ///   - url: A PNG or JPEG file.
  ///   - orientation: How to turn the picture; nil takes the file's own EXIF orientation.
  /// - Throws: ``SamSwiftError/imageUnreadable(reason:)``, ``SamSwiftError/cancelled``.
  public func setImage(
    _ url: URL, orientation: ImageOrientation? = nil
  ) async throws(SamSwiftError) {
    try await setInBackground(.file(url, orientation))
  }

  /// Reads a picture from the bytes of a PNG or JPEG file, encodes it and makes it the current one.
  ///
  /// - Parameters:
  ///   - data: The bytes of the file.
  ///   - orientation: How to turn the picture; nil takes the file's own EXIF orientation.
  /// - Throws: ``SamSwiftError/imageUnreadable(reason:)``, ``SamSwiftError/cancelled``.
  public func setImage(
    _ data: Data, orientation: ImageOrientation? = nil
  ) async throws(SamSwiftError) {
    try await setInBackground(.data(data, orientation))
  }

  private func setInBackground(_ source: PictureSource) async throws(SamSwiftError) {
    try await withCancellableWork { [self] isCancelled throws(SamSwiftError) in
      try set(source, isCancelled: isCancelled)
    }
  }
}
