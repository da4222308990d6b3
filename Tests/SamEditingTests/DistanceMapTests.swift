import Dispatch
import SamEditing
import SamImageIO
import Testing

struct DistanceMapTests {
  /// The squared distance to the nearest site of each pixel, by looking at all of them.
  private func squaresByHand(_ mask: PixelImage, _ side: DistanceMap.Side, limit: Int) -> [Int32] {
    let sites = mask.pixels.indices.filter { (mask.pixels[$0] >= 128) == (side == .object) }
    let beyond = Int32((limit + 1) * (limit + 1))
    return mask.pixels.indices.map { index in
      let nearest = sites.map { site in
        let dx = site % mask.width - index % mask.width
        let dy = site / mask.width - index / mask.width
        return Int32(dx * dx + dy * dy)
      }.min()
      return nearest.map { $0 > limit * limit ? beyond : $0 } ?? beyond
    }
  }

  private func squares(
    _ mask: PixelImage, _ side: DistanceMap.Side, limit: Int, loop: RowLoop = .serial
  ) -> [Int32] {
    let map = DistanceMap(
      mask: mask.pixels, width: mask.width, height: mask.height, to: side, limit: limit,
      loop: loop)
    let scratch = DistanceMap.RowScratch(map)
    var result = [Int32](repeating: -1, count: mask.pixels.count)
    result.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for y in 0..<mask.height { map.squares(ofRow: y, into: base + y * mask.width, scratch) }
    }
    return result
  }

  @Test(arguments: TestMask.allCases, [3, 1000])
  func equalsWhatLookingAtAllSitesGives(_ mask: TestMask, _ limit: Int) {
    let image = mask.image
    for side in [DistanceMap.Side.object, .surroundings] {
      #expect(squares(image, side, limit: limit) == squaresByHand(image, side, limit: limit))
    }
  }

  @Test(arguments: [1, 2, 5, 20], [0, 1, 4, 9, DistanceMap.farthest])
  func isExactForScatteredSites(_ sites: Int, _ limit: Int) {
    var numbers = SeededNumbers(seed: UInt64(sites))
    for (width, height) in [(1, 1), (1, 31), (31, 1), (40, 33), (300, 7)] {
      var pixels = [UInt8](repeating: 0, count: width * height)
      for _ in 0..<sites { pixels[Int.random(in: pixels.indices, using: &numbers)] = 200 }
      let image = PixelImage(width: width, height: height, channels: 1, pixels: pixels)
      let wanted = squaresByHand(image, .object, limit: limit)
      let actual = squares(image, .object, limit: limit)
      let wrong = wanted.indices.first { wanted[$0] != actual[$0] }
      #expect(wrong == nil, "\(width)×\(height)")
    }
  }

  @Test func doesNotDependOnTheThreads() {
    let image = maskImage(width: 700, height: 300) { x, y in (x * x + 3 * y * y) % 997 < 4 }
    let parallel = RowLoop { count, body in
      DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
    #expect(
      squares(image, .object, limit: 50) == squares(image, .object, limit: 50, loop: parallel))
  }

  private func edgeDistances(_ mask: PixelImage, limit: Int) -> [Float] {
    let map = DistanceMap(
      mask: mask.pixels, width: mask.width, height: mask.height, to: .object, limit: limit)
    let scratch = DistanceMap.RowScratch(map)
    var result = [Float](repeating: .nan, count: mask.pixels.count)
    result.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for y in 0..<mask.height {
        map.edgeDistances(ofRow: y, into: base + y * mask.width, scratch)
      }
    }
    return result
  }

  @Test func anEdgeBetweenPixelsIsHalfAPixelAway() {
    let mask = PixelImage(width: 6, height: 1, channels: 1, pixels: [255, 255, 0, 0, 0, 0])
    #expect(edgeDistances(mask, limit: 3) == [-0.5, -0.5, 0.5, 1.5, 2.5, 4])
  }

  @Test func anEdgeThroughAPixelLiesWhereItsCoverSays() {
    // Three quarters of the middle pixel are inside: the edge is a quarter right of its centre.
    let mask = PixelImage(width: 5, height: 1, channels: 1, pixels: [255, 255, 191, 0, 0])
    let distances = edgeDistances(mask, limit: 9)
    #expect(abs(distances[2] - -0.25) < 0.01)
    #expect(abs(distances[3] - 0.75) < 0.01)
    #expect(abs(distances[4] - 1.75) < 0.01)
  }

  /// The worst error at 2 to 15 pixels from an anti-aliased edge of some slope.
  @Test(arguments: [
    (0.02, 0.03), (0.143, 0.08), (0.5, 0.15), (1.0, 0.15), (7.0, 0.2), (50.0, 0.03),
  ])
  func aSlantedEdgeHasNoStairs(_ slope: Double, _ tolerance: Double) {
    let side = 90
    let norm = (1 + slope * slope).squareRoot()
    func exact(_ index: Int) -> Double {
      (Double(index / side) - 45 - (Double(index % side) - 45) * slope) / norm
    }
    let mask = PixelImage(
      width: side, height: side, channels: 1,
      pixels: (0..<side * side).map { index in
        UInt8((255 * min(1, max(0, 0.5 - exact(index)))).rounded())
      })
    let distances = edgeDistances(mask, limit: 40)
    var worst = 0.0
    for y in 25..<65 {
      for x in 25..<65 where (2...15).contains(exact(y * side + x)) {
        worst = max(worst, abs(Double(distances[y * side + x]) - exact(y * side + x)))
      }
    }
    #expect(worst > 0 && worst < tolerance, "off by \(worst)")
  }
}
