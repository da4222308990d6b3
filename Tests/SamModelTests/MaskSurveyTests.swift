import Foundation
import KernelInterface
import SamModel
import SamTensor
import Testing

/// A survey tells what computing every pixel would tell.
struct MaskSurveyTests {
  /// Picture sizes of every kind: enlarged, reduced, of the frame's size, thin, one pixel.
  static let shapes = [
    Shape(width: 113, height: 75), Shape(width: 37, height: 61),
    Shape(width: 64, height: 40, multiple: 32), Shape(width: 151, height: 3, multiple: 32),
    Shape(width: 1, height: 1), Shape(width: 2, height: 3), Shape(width: 6, height: 4),
    Shape(width: 5, height: 1),
    Shape(width: 9, height: 300), Shape(width: 200, height: 133),
  ]

  struct Shape: Sendable, CustomTestStringConvertible {
    var width: Int
    var height: Int
    var multiple: Int?

    var geometry: FrameGeometry {
      FrameGeometry(
        imageWidth: width, imageHeight: height, frameSize: 64, padMultiple: multiple, maskStride: 4)
    }

    var testDescription: String { "\(width)×\(height)" }
  }

  /// Grids of every kind of mask.
  static func grids(_ geometry: FrameGeometry) -> [(name: String, grid: LogitGrid)] {
    var generator = Mixer()
    func grid(_ value: (Double, Double) -> Double) -> LogitGrid {
      var values: [Float] = []
      for y in 0..<geometry.gridHeight {
        for x in 0..<geometry.gridWidth { values.append(Float(value(Double(x), Double(y)))) }
      }
      return LogitGrid(width: geometry.gridWidth, height: geometry.gridHeight, values: values)
    }
    let (cx, cy) = (Double(geometry.gridWidth) / 3, Double(geometry.gridHeight) / 3)
    let noise = grid { _, _ in Double.random(in: -4...4, using: &generator) }
    return [
      ("noise", noise), ("empty", grid { _, _ in -7 }), ("full", grid { _, _ in 9 }),
      ("blob", grid { x, y in 4 - hypot(x - cx, y - cy) }),
      ("ring", grid { x, y in 2 - abs(hypot(x - cx, y - cy) - 4) * 2 }),
      ("flat at a threshold", grid { x, _ in x < cx ? 0 : 1 }),
      ("points", grid { x, y in x.truncatingRemainder(dividingBy: 4) == 1 && y != 3 ? 5 : -5 }),
      ("halves", grid { x, _ in x < cx ? -30 : 30 }), ("unsure", grid { _, _ in -0.5 }),
      ("stripe", grid { x, _ in x == 1 ? 5 : -7 }),
    ]
  }

  @Test(arguments: shapes, Kernels.available)
  func countsEveryPixel(shape: Shape, kernels: String) throws {
    let table = try #require(Kernels.named(kernels))
    let geometry = shape.geometry
    let survey = MaskSurvey(geometry: geometry, kernels: table)
    let postprocessor = MaskPostprocessor(geometry: geometry, kernels: table)
    for (name, grid) in Self.grids(geometry) {
      let logits = postprocessor.logits(grid, size: .picture)
      for margin in [Float(1), 0.25, 0] {
        let counts = survey.measure(grid, margin: margin)
        #expect(counts.inside == logits.count { $0 > 0 }, "\(name)")
        #expect(counts.sure == logits.count { $0 > margin }, "\(name), margin \(margin)")
        #expect(counts.possible == logits.count { $0 > -margin }, "\(name), margin \(margin)")
        let inside = logits.indices.filter { logits[$0] > 0 }
        let columns = inside.map { $0 % shape.width }
        let rows = inside.map { $0 / shape.width }
        #expect(counts.columns == (columns.min() ?? 0)..<(columns.max() ?? -1) + 1, "\(name)")
        #expect(counts.rows == (rows.min() ?? 0)..<(rows.max() ?? -1) + 1, "\(name)")
      }
    }
  }

  @Test(arguments: shapes)
  func runsAreThoseOfTheMaskDownItsColumns(shape: Shape) throws {
    let geometry = shape.geometry
    let survey = MaskSurvey(geometry: geometry)
    let postprocessor = MaskPostprocessor(geometry: geometry)
    for (name, grid) in Self.grids(geometry) {
      let logits = postprocessor.logits(grid, size: .picture)
      let counts = survey.measure(grid, margin: 1)
      for (x, y, more) in [(0, 0, 0), (2, 3, 5), (0, 4, 4)] {
        let (width, height) = (shape.width + x + more, shape.height + y)
        var mask = [Bool](repeating: false, count: width * height)
        for (i, logit) in logits.enumerated() where logit > 0 {
          mask[(i % shape.width + x) * height + i / shape.width + y] = true
        }
        let runs = survey.runs(grid, counts: counts, x: x, y: y, width: width, height: height)
        #expect(runs == Self.runs(of: mask), "\(name) at \(x), \(y)")
      }
    }
  }

  private static func runs(of mask: [Bool]) -> [Int] {
    var runs: [Int] = []
    var (current, start) = (false, 0)
    for (i, value) in mask.enumerated() where value != current {
      runs.append(i - start)
      (current, start) = (value, i)
    }
    return runs + [mask.count - start]
  }

  @Test func anEmptyMaskHasNoStability() {
    #expect(MaskCounts().stability == 0)
    let geometry = Self.shapes[0].geometry
    let survey = MaskSurvey(geometry: geometry)
    for (name, grid) in Self.grids(geometry) where ["empty", "full"].contains(name) {
      #expect(survey.measure(grid, margin: 1).stability == (name == "full" ? 1 : 0))
    }
  }

  @Test func valuesThatAreNoNumbersAreOutside() {
    let geometry = Self.shapes[0].geometry
    let count = geometry.gridWidth * geometry.gridHeight
    let grid = LogitGrid(
      width: geometry.gridWidth, height: geometry.gridHeight,
      values: [Float](repeating: .nan, count: count))
    #expect(MaskSurvey(geometry: geometry).measure(grid, margin: 1) == MaskCounts())
  }
}

/// SplitMix64: the same numbers in every run.
private struct Mixer: RandomNumberGenerator {
  private var state: UInt64 = 7

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
