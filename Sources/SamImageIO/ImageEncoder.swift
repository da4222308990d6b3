public import Foundation
import SamFiles

/// Writes PNG and JPEG files, to memory or to disk.
///
/// On disk a file is written beside its place and renamed into it: readers see the old file or the
/// new one, whole, and a failure leaves the old one as it was.
public enum ImageEncoder {
  /// A file format with its settings.
  public enum Encoding: Sendable, Hashable {
    /// Lossless; gray, RGB and RGBA are written as they are, with light compression for speed.
    case png
    /// Lossy; quality is 1 to 100, from 90 on colours have full resolution. A picture with alpha is
    /// laid over white.
    case jpeg(quality: Int = 92)

    /// The encoding that a name's ending asks for, with default settings.
    ///
    /// - Parameter url: its ending is `.png`, `.jpg` or `.jpeg`, in any case.
    /// - Throws: ``ImageIOError/unknownOutputFormat(file:)``.
    public init(forNameOf url: URL) throws(ImageIOError) {
      switch ImageFormat(pathExtension: url.pathExtension) {
      case .png: self = .png
      case .jpeg: self = .jpeg()
      case nil: throw .unknownOutputFormat(file: url.path)
      }
    }
  }

  /// Encodes a picture to memory.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - encoding: the format and its settings.
  /// - Returns: the contents of a file.
  /// - Throws: ``ImageIOError/notEncodable(format:detail:)`` where the format cannot hold the
  ///   picture.
  public static func encode(
    _ image: PixelImage, as encoding: Encoding
  ) throws(ImageIOError) -> Data {
    switch encoding {
    case .png: try encodePNG(image)
    case .jpeg(let quality): try encodeJPEG(image, quality: quality)
    }
  }

  /// Writes a picture to a file.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - url: a file URL.
  ///   - encoding: the format and its settings; nil goes by the name's ending.
  /// - Throws: ``ImageIOError``; an existing file is then unchanged.
  public static func write(
    _ image: PixelImage, to url: URL, as encoding: Encoding? = nil
  ) throws(ImageIOError) {
    let chosen: Encoding
    if let encoding {
      chosen = encoding
    } else {
      chosen = try Encoding(forNameOf: url)
    }
    guard url.isFileURL else {
      throw .unwritable(file: url.absoluteString, reason: "it is not a file URL")
    }
    let data = try encode(image, as: chosen)
    do throws(FileFault) {
      try data.withUnsafeBytes { bytes in
        Result { () throws(FileFault) in
          try ReplacementFile.write(bytes, to: url.path, others: .written)
        }
      }.get()
    } catch {
      throw .unwritable(file: url.path, reason: error.reason)
    }
  }
}
