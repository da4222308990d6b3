import Foundation
import SamCheckpoint
import SamImageIO
import SamModel
import SamTestSupport
import SamWeights
import Testing

/// The networks under test; each is loaded once, and several tests use it at the same time.
enum TestNetworks {
  static func lite() throws -> SegmentationNetwork { try liteResult.get() }
  static func tiny() throws -> SegmentationNetwork { try tinyResult.get() }

  /// A network of its own: `tiny` or `lite`.
  static func make(_ name: String, _ options: NetworkOptions = NetworkOptions(precision: .float32))
    throws -> SegmentationNetwork
  {
    try SegmentationNetwork(
      checkpoint: name == "lite" ? try liteCheckpoint() : try tinyCheckpoint(), options: options)
  }

  static func liteCheckpoint() throws -> any Checkpoint {
    try CheckpointFile.open(try #require(LiteWeights.locate()))
  }

  static func tinyCheckpoint() throws -> any Checkpoint {
    try CheckpointFile.open(GoldenFile.committed("tiny_sam.safetensors"))
  }

  private static let liteResult = Result { try make("lite") }
  private static let tinyResult = Result { try make("tiny") }
}

/// One of the test photographs.
func photo(_ name: String) throws -> Picture {
  let image = try ImageDecoder().decode(contentsOf: TestPhotos.url(name)).converted(toChannels: 3)
  return Picture(
    width: image.width, height: image.height, channels: image.channels, pixels: image.pixels)
}

/// What Tools/reference/make_tiny.py draws: stripes of two widths and a fine texture.
func drawnPicture(width: Int, height: Int) -> Picture {
  func triangle(_ value: Int, _ period: Int) -> Int { abs(value % (2 * period) - period) }
  var pixels: [UInt8] = []
  pixels.reserveCapacity(width * height * 3)
  for y in 0..<height {
    for x in 0..<width {
      for c in 0..<3 {
        let stripes = triangle(3 * x + 2 * y + 40 * c, 97) + triangle(x + 5 * y + 13 * c, 61)
        pixels.append(UInt8(stripes + (37 * x + 91 * y + 17 * c) % 64 + 20))
      }
    }
  }
  return Picture(width: width, height: height, channels: 3, pixels: pixels)
}

/// All values of all masks.
func logits(_ masks: DecodedMasks) -> [Float] { masks.grids.flatMap(\.values) }

/// The click again, with the best of its three candidates as the previous mask.
func refinement(of prompt: Prompt, after masks: DecodedMasks) throws -> Prompt {
  let candidates = 1..<masks.grids.count
  let best = try #require(candidates.max { masks.scores[$0] < masks.scores[$1] })
  return Prompt(points: prompt.points, box: prompt.box, previous: masks.grids[best])
}
