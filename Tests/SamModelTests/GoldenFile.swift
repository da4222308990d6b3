import Foundation
import SamCheckpoint
import SamModel
import Testing

/// A file of tensors that a reference computed, and of what it computed them from.
struct GoldenFile: Sendable {
  private let checkpoint: any Checkpoint

  init(_ url: URL) throws {
    checkpoint = try CheckpointFile.open(url)
  }

  /// A committed file.
  init(committed name: String) throws {
    try self.init(Self.committed(name))
  }

  static func committed(_ name: String) -> URL {
    Bundle.module.bundleURL.appendingPathComponent("Goldens").appendingPathComponent(name)
  }

  func floats(_ key: String) throws -> [Float] {
    try #require(checkpoint[key], "no tensor \(key) in \(checkpoint.name)").floats()
  }

  func shape(_ key: String) throws -> [Int] {
    try #require(checkpoint[key], "no tensor \(key) in \(checkpoint.name)").shape
  }

  func text(_ key: String) throws -> String {
    try #require(checkpoint.metadata[key], "no entry \(key) in \(checkpoint.name)")
  }

  func number(_ key: String) throws -> Float {
    try #require(Float(try text(key)), "entry \(key) of \(checkpoint.name) is no number")
  }

  /// A prompt out of the metadata.
  func prompt(_ key: String) throws -> Prompt {
    try JSONDecoder().decode(Given.self, from: Data(try text(key).utf8)).prompt
  }

  private struct Given: Decodable {
    var points: [[Float]]?
    var labels: [Int]?
    var box: [Float]?

    var prompt: Prompt {
      Prompt(
        points: zip(points ?? [], labels ?? []).map {
          Prompt.Point(x: $0[0], y: $0[1], isIncluded: $1 == 1)
        },
        box: box.map { Prompt.Box(x0: $0[0], y0: $0[1], x1: $0[2], y1: $0[3]) })
    }
  }
}
