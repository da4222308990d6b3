import Foundation
import SamWeights

/// Where a model's weights lie.
enum ModelFile {
  /// The file of a model.
  ///
  /// - Throws: ``SamSwiftError/modelUnavailable(model:reason:)`` where there is none.
  static func locate(_ model: SegmentationModel) throws(SamSwiftError) -> URL {
    switch model {
    case .file(let url):
      guard FileManager.default.fileExists(atPath: url.path) else {
        throw .modelUnavailable(model: model.description, reason: "there is no such file")
      }
      return url
    case .bundled(.lite):
      if let url = LiteWeights.locate() { return url }
      let places = LiteWeights.candidates.map(\.path).joined(separator: ", ")
      throw .modelUnavailable(model: model.description, reason: "no file at \(places)")
    case .bundled(.mobileSam):
      throw .modelUnavailable(model: model.description, reason: "its weights are not installed")
    }
  }
}
