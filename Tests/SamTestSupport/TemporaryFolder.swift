import Foundation

/// A new folder for one test; it and what lies in it go when the object does.
public final class TemporaryFolder: Sendable {
  /// The folder.
  public let url: URL

  /// Makes an empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("samswift-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The place of that name in the folder.
  public func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// Writes a file into the folder.
  public func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> URL {
    let place = file(name)
    try Data(bytes).write(to: place)
    return place
  }

  /// The names of everything in the folder, sorted.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}
