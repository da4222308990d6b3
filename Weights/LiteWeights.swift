import Foundation

/// The weights that travel with the package.
package enum LiteWeights {
  /// The file's name, in the repository and in the resource bundle.
  package static let fileName = "samswift_lite.safetensors"

  /// The first of the places where the bundled weights can lie that exists, or nil: the resource
  /// bundle beside the executable, then the source tree that this module was compiled in.
  ///
  /// (`Bundle.module` ends the process where its bundle is missing, so it is not used.)
  package static func locate() -> URL? {
    candidates.first { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Where ``locate()`` looks, in order; for messages.
  package static var candidates: [URL] {
    let bundle = "SamSwift_SamWeights.resources"
    let beside = Bundle.main.bundleURL
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return [
      beside.appendingPathComponent(bundle).appendingPathComponent(fileName),
      beside.appendingPathComponent(fileName),
      source.appendingPathComponent(fileName),
    ]
  }
}
