import Foundation

/// The five photographs of the test suite (public domain or CC0; see Photos/LICENSES.md).
public enum TestPhotos {
  /// The file of that name: `coffee.png`, `astronaut.png`, `chelsea.png`, `motorcycle_left.png`, `rocket.jpg`.
  public static func url(_ name: String) -> URL {
    Bundle.module.bundleURL.appendingPathComponent("Photos").appendingPathComponent(name)
  }
}
