import SamSwift
import Testing

/// The numbers are those of SAM's own functions (mobilesam-mirror 1.0, torchvision).
struct CropLayoutTests {
  private func boxes(_ width: Int, _ height: Int, layers: Int) -> [[Int]] {
    let options = SamEverythingOptions(cropLayers: layers)
    return CropLayout(width: width, height: height, options: options).crops.map {
      [$0.box.x, $0.box.y, $0.box.width, $0.box.height]
    }
  }

  @Test func cropsAreThoseOfSAM() {
    #expect(
      boxes(600, 400, layers: 1) == [
        [0, 0, 600, 400], [0, 0, 368, 268], [0, 132, 368, 268], [232, 0, 368, 268],
        [232, 132, 368, 268],
      ])
    let layers = boxes(77, 333, layers: 2)
    #expect(layers.count == 21)
    #expect(
      layers.prefix(9) == [
        [0, 0, 77, 333], [0, 0, 52, 180], [0, 154, 52, 179], [26, 0, 51, 180], [26, 154, 51, 179],
        [0, 0, 29, 93], [0, 80, 29, 93], [0, 160, 29, 93], [0, 240, 29, 93],
      ])
    #expect(layers.last == [48, 240, 29, 93])
  }

  @Test(arguments: [(1, 1), (2, 1), (1, 9), (5, 3)])
  func cropsOfATinyPictureLieInIt(width: Int, height: Int) {
    let all = boxes(width, height, layers: 4)
    #expect(all.first == [0, 0, width, height])
    for box in all {
      #expect(box[0] >= 0 && box[2] > 0 && box[0] + box[2] <= width)
      #expect(box[1] >= 0 && box[3] > 0 && box[1] + box[3] <= height)
    }
  }

  @Test func pointsLieInTheMiddleOfTheirCells() {
    let layout = CropLayout(
      width: 60, height: 30, options: SamEverythingOptions(pointsPerSide: 3))
    #expect(layout.pointCount == 9)
    let points = layout.crops[0].points
    #expect(points.count == 9)
    for (index, point) in points.enumerated() {
      let column = Double(index % 3)
      let row = Double(index / 3)
      #expect(abs(point.x - (10 + 20 * column)) < 1e-9)
      #expect(abs(point.y - (5 + 10 * row)) < 1e-9)
    }
    let single = CropLayout(
      width: 60, height: 30, options: SamEverythingOptions(pointsPerSide: 1))
    #expect(single.crops[0].points.map(\.x) == [30])
  }

  @Test func finerCropsHaveCoarserGrids() {
    let options = SamEverythingOptions(
      pointsPerSide: 32, cropLayers: 2, cropPointsDownscale: 3)
    let sides = CropLayout(width: 600, height: 400, options: options).crops.map(\.pointsPerSide)
    #expect(sides == [32] + Array(repeating: 10, count: 4) + Array(repeating: 3, count: 16))
  }

  static let suppressed: [(limit: Double, kept: [Int])] = [
    (0.5, [1, 7, 4, 5]), (0.7, [1, 7, 3, 4, 5]), (0.85, [1, 2, 6, 7, 3, 4, 5]),
    (0.9, [1, 0, 2, 6, 7, 3, 4, 5]),
  ]

  @Test(arguments: suppressed)
  func suppressionIsThatOfTorchvision(limit: Double, kept: [Int]) {
    let boxes = [
      [0, 0, 10, 10], [0, 0, 10, 9], [1, 1, 10, 10], [20, 20, 30, 30], [20, 20, 20, 20],
      [20, 20, 20, 20], [0, 0, 10, 7], [21, 21, 31, 31],
    ].map { PixelBox(x0: $0[0], y0: $0[1], x1: $0[2], y1: $0[3]) }
    let scores: [Float] = [0.9, 0.95, 0.9, 0.3, 0.2, 0.2, 0.9, 0.31]
    #expect(BoxSuppression.kept(boxes, scores: scores, limit: limit) == kept)
    #expect(BoxSuppression.kept([], scores: [], limit: limit).isEmpty)
  }
}
