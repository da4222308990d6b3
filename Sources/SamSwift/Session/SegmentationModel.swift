import Foundation

/// Which network segments: one that SamSwift knows by name, or a weights file.
public enum SegmentationModel: Sendable, Hashable, CustomStringConvertible {
  /// A model that SamSwift finds by itself.
  case bundled(Bundled)
  /// A checkpoint on disk: safetensors, or MobileSAM's official `.pt`.
  case file(URL)

  /// The models known by name.
  public enum Bundled: String, Sendable, Hashable, CaseIterable {
    /// SamSwift Lite: part of the package, 512 pixels on the long side. The default.
    case lite = "lite"
    /// MobileSAM: 1024 pixels on the long side; its weights have to be placed or downloaded first.
    case mobileSam = "mobile-sam"
  }

  /// The model's name, or the file's path.
  public var description: String {
    switch self {
    case .bundled(let model): model.rawValue
    case .file(let url): url.path
    }
  }
}
