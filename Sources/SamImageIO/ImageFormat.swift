/// The file formats that SamSwift reads and writes.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// Portable Network Graphics.
  case png
  /// JPEG, baseline or progressive.
  case jpeg

  /// Recognises a file by its first bytes; nil where they begin neither format.
  ///
  /// - Parameter bytes: the beginning of a file; eight bytes are enough.
  public init?(firstBytes bytes: some Collection<UInt8>) {
    if bytes.starts(with: Self.pngSignature) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else {
      return nil
    }
  }

  /// The format that a name's ending asks for: `png`, `jpg`, `jpeg`, in any case.
  ///
  /// - Parameter pathExtension: the ending, without the dot.
  public init?(pathExtension: String) {
    switch pathExtension.lowercased() {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg
    default: return nil
    }
  }

  /// Eight bytes; the first is not ASCII and line ends follow, so that a mangled transfer shows.
  static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}

extension ImageFormat: CustomStringConvertible {
  /// The format's usual name.
  public var description: String { rawValue.uppercased() }
}
