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
    do throws(ImageIOError) {
      switch self {
      case .pixels(let image, let orientation): return image.oriented(by: orientation)
      case .file(let url, let orientation):
        return try Self.decoder(orientation).decode(contentsOf: url)
      case .data(let data, let orientation):
        return try Self.decoder(orientation).decode(data)
      }
    } catch { throw .imageUnreadable(reason: "\(error)") }
  }

  private static func decoder(_ orientation: ImageOrientation?) -> ImageDecoder {
    ImageDecoder(orientation: orientation.map { .explicit($0) } ?? .asDisplayed)
  }
}
