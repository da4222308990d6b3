import Foundation
import SamCheckpoint

/// The large reference files, which are not part of the repository.
///
/// `SAMSWIFT_REFERENCE` names their folder; the default lies beside the repository.
public enum ReferenceData {
  /// The folder.
  public static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SAMSWIFT_REFERENCE"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: #filePath)  // Tests/SamTestSupport/ReferenceData.swift
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("shared/reference")
  }()

  /// A file of the folder, or nil where it is absent.
  public static func url(_ name: String) -> URL? {
    let url = folder.appendingPathComponent(name)
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }
}
