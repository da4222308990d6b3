import Foundation

/// The large files that lie beside the repository, not in it: `SAMSWIFT_REFERENCE`, else `../shared/reference`.
public enum ReferenceFolder {
  /// The file of that name, or nil where it is absent; tests are then skipped by name.
  public static func url(_ name: String) -> URL? {
    let folder =
      ProcessInfo.processInfo.environment["SAMSWIFT_REFERENCE"].map { URL(fileURLWithPath: $0) }
      ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("shared/reference")
    let file = folder.appendingPathComponent(name)
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }
}
