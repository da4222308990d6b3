import SamModel
import Synchronization
import Testing

/// Pictures at the edges of what can be encoded, and encodes that end early.
struct PictureTests {
  @Test(
    arguments: ["tiny", "lite"], [(1, 1), (1, 5000), (5000, 1), (2, 3), (511, 513), (16, 4000)])
  func anyShapeGivesFiniteMasksOfItsGrid(model: String, size: (width: Int, height: Int)) throws {
    let network = try Self.network(model)
    let embedding = try network.encode(drawnPicture(width: size.width, height: size.height))
    let prompt = Prompt(
      points: [
        Prompt.Point(x: Float(size.width) / 2, y: Float(size.height) / 2, isIncluded: true)
      ])
    let masks = try network.decode(embedding, prompts: [prompt])[0]
    let geometry = embedding.geometry
    #expect(masks.grids.count == 4)
    for grid in masks.grids {
      #expect((grid.width, grid.height) == (geometry.gridWidth, geometry.gridHeight))
      #expect(grid.values.count == grid.width * grid.height)
      #expect(grid.values.allSatisfy { $0.isFinite })
    }
    #expect(masks.scores.count == 4 && masks.scores.allSatisfy { $0.isFinite })
  }

  @Test(arguments: ["tiny", "lite"])
  func grayAndAlphaAreTheSamePictureAsRGB(model: String) throws {
    let network = try Self.network(model)
    let (width, height) = (90, 60)
    let gray = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 * 7 / 5) }
    let rgb = gray.flatMap { [$0, $0, $0] }
    let rgba = gray.enumerated().flatMap {
      [$1, $1, $1, UInt8(truncatingIfNeeded: $0)]
    }
    let embeddings = try [gray, rgb, rgba].map { pixels in
      let picture = Picture(
        width: width, height: height, channels: pixels.count / gray.count, pixels: pixels)
      return try network.encode(picture).map.sampled(every: 1)
    }
    #expect(embeddings[1] == embeddings[0])
    #expect(embeddings[2] == embeddings[0])
  }

  @Test(arguments: [
    (Picture(width: 0, height: 0, channels: 3, pixels: []), "its size is 0 × 0"),
    (Picture(width: 4, height: 0, channels: 3, pixels: []), "its size is 4 × 0"),
    (Picture(width: -1, height: 4, channels: 3, pixels: []), "its size is -1 × 4"),
    (Picture(width: 4, height: 4, channels: 3, pixels: [1]), "1 bytes came"),
    (Picture(width: 4, height: 4, channels: 5, pixels: [UInt8](repeating: 0, count: 80)), "5"),
    (Picture(width: .max, height: .max, channels: 4, pixels: []), "0 bytes came"),
    (Picture(width: 1, height: .max, channels: 1, pixels: [1]), "1 bytes came"),
  ])
  func aPictureThatDoesNotAddUpIsRefused(picture: Picture, words: String) throws {
    #expect {
      try TestNetworks.tiny().encode(picture)
    } throws: { error in
      guard case .badPicture(let reason) = error as? ModelError else { return false }
      return reason.contains(words)
    }
  }

  // MARK: Cancelling

  @Test(arguments: ["tiny", "lite"], [1, 2, 5])
  func aCancelledEncodeStopsAtTheNextStage(model: String, asks: Int) throws {
    let network = try Self.network(model)
    let asked = Mutex(0)
    #expect(throws: ModelError.cancelled) {
      try network.encode(drawnPicture(width: 90, height: 60)) {
        asked.withLock {
          $0 += 1
          return $0 == asks
        }
      }
    }
    #expect(asked.withLock { $0 } == asks)
  }

  @Test(arguments: ["tiny", "lite"], [1, 2, 3])
  func aCancelledDecodeStopsAtTheNextLayer(model: String, asks: Int) throws {
    let network = try Self.network(model)
    let embedding = try network.encode(drawnPicture(width: 90, height: 60))
    let prompt = Prompt(points: [Prompt.Point(x: 40, y: 30, isIncluded: true)])
    let asked = Mutex(0)
    #expect(throws: ModelError.cancelled) {
      try network.decode(embedding, prompts: [prompt]) {
        asked.withLock {
          $0 += 1
          return $0 == asks
        }
      }
    }
    #expect(asked.withLock { $0 } == asks)
    // Nothing of the cancelled work is left behind.
    let again = try network.decode(embedding, prompts: [prompt, prompt])
    #expect(again[0].grids == again[1].grids)
  }

  @Test func encodesAreCounted() throws {
    let network = try TestNetworks.make("tiny")
    let embedding = try network.encode(drawnPicture(width: 9, height: 6))
    let prompt = Prompt(points: [Prompt.Point(x: 4, y: 3, isIncluded: true)])
    for _ in 0..<3 { _ = try network.decode(embedding, prompts: [prompt]) }
    #expect(network.encodeCount == 1)
    _ = try network.encode(drawnPicture(width: 9, height: 6))
    #expect(network.encodeCount == 2)
  }

  private static func network(_ model: String) throws -> SegmentationNetwork {
    try model == "lite" ? TestNetworks.lite() : TestNetworks.tiny()
  }
}
