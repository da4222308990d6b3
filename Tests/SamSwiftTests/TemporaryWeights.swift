import Foundation
import SamWeights
import Testing

/// A name of its own for the bundled weights, which makes a network of its own.
final class TemporaryWeights {
  let url: URL

  init() throws {
    let weights = try #require(LiteWeights.locate())
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("weights-\(UUID().uuidString).safetensors")
    try FileManager.default.createSymbolicLink(at: url, withDestinationURL: weights)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
