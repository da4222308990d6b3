import Foundation
import SamImageIO

/// Where a picture comes from, and how it is to be turned.
enum PictureSource: Sendable {
  case pixels(PixelImage, ImageOrientation)
  /// nil takes the file's own orientation.
  case file(URL, ImageOrientation?)
  case data(Data, ImageOrientation?)

  /// Whether no file has to be decoded.
  var isDecoded: Bool {
    if case .pixels = self { true } else { false }
  }

  /// The picture as displayed.
  ///
  /// - Throws: ``SamSwiftError/imageUnreadable(reason:)``.
  func read() throws(SamSwiftError) -> PixelImage {
    switch self {
    case .pixels(let image, _): return image
    case .file, .data: throw .imageUnreadable(reason: "reading files is not there yet")
    }
  }
}
