import Foundation
import KernelInterface
import SamCheckpoint
import SamModel
import SamTensor
import SamTestSupport
import Testing

struct MaskPostprocessorTests {
  static let cases = ["enlarged", "reduced", "same", "flat", "one"]

  /// Made by Tools/reference/make_masks.py.
  @Test(arguments: cases, Kernels.available)
  func matchesPyTorch(name: String, kernels: String) throws {
    let golden = try MaskGolden(name)
    let postprocessor = MaskPostprocessor(
      geometry: golden.geometry, kernels: try #require(Kernels.named(kernels)))
    for (size, key) in [(MaskPostprocessor.Size.frame, "frame"), (.picture, "picture")] {
      let expected = try golden.values(key)
      let actual = postprocessor.logits(golden.grid, size: size)
      try #require(actual.count == expected.count)
      let worst = zip(actual, expected).map { abs($0 - $1) }.max() ?? 0
      #expect(worst < 2e-5, "\(key): worst error \(worst)")
    }
  }

  @Test(arguments: cases)
  func bytesAreTheSigmoidOfTheLogits(name: String) throws {
    let golden = try MaskGolden(name)
    let postprocessor = MaskPostprocessor(geometry: golden.geometry)
    for size in [MaskPostprocessor.Size.grid, .frame, .picture] {
      let bytes = postprocessor.bytes(golden.grid, size: size)
      let logits = postprocessor.logits(golden.grid, size: size)
      let extent = postprocessor.extent(size)
      #expect(bytes.count == extent.width * extent.height)
      for (byte, logit) in zip(bytes, logits) {
        #expect((byte >= 128) == (logit >= 0), "byte \(byte) for logit \(logit)")
        #expect(abs(Double(byte) - 255 / (1 + exp(-Double(logit)))) <= 0.501)
      }
    }
  }

  @Test func theGridIsCroppedToThePicturesShape() throws {
    // A picture of 3:2 in a square frame of 1024: 683 rows are 170.75 cells.
    let geometry = FrameGeometry(
      imageWidth: 1500, imageHeight: 1000, frameSize: 1024, padMultiple: nil, maskStride: 4)
    let extent = MaskPostprocessor(geometry: geometry).extent(.grid)
    #expect(extent == (256, 171))
    #expect(MaskPostprocessor(geometry: geometry).extent(.frame) == (1024, 683))
    #expect(MaskPostprocessor(geometry: geometry).extent(.picture) == (1500, 1000))
  }

  @Test func croppedCellsKeepTheirValues() throws {
    let golden = try MaskGolden("flat")
    let postprocessor = MaskPostprocessor(geometry: golden.geometry)
    let (width, height) = postprocessor.extent(.grid)
    let cells = postprocessor.logits(golden.grid, size: .grid)
    for y in 0..<height {
      for x in 0..<width {
        #expect(cells[y * width + x] == golden.grid.values[y * golden.grid.width + x])
      }
    }
  }

  @Test func threadsDoNotChangeABit() throws {
    let geometry = FrameGeometry(
      imageWidth: 777, imageHeight: 501, frameSize: 512, padMultiple: 32, maskStride: 4)
    let values = (0..<geometry.gridWidth * geometry.gridHeight).map { Float(($0 * 37) % 101) - 50 }
    let grid = LogitGrid(width: geometry.gridWidth, height: geometry.gridHeight, values: values)
    let one = MaskPostprocessor(geometry: geometry, threads: 1).logits(grid, size: .picture)
    let four = MaskPostprocessor(geometry: geometry, threads: 4).logits(grid, size: .picture)
    #expect(one == four)
  }

  @Test func rowsCanBeChangedOnTheirWay() throws {
    let golden = try MaskGolden("enlarged")
    let postprocessor = MaskPostprocessor(geometry: golden.geometry)
    let width = postprocessor.extent(.picture).width
    let bytes = postprocessor.bytes(golden.grid, size: .picture) { y, row, output in
      for x in 0..<width { output[x] = y == 3 ? 100 : -row[x] }
    }
    let plain = postprocessor.bytes(golden.grid, size: .picture)
    for (index, byte) in bytes.enumerated() {
      if index / width == 3 {
        #expect(byte == 255)
      } else {
        #expect(abs(Int(byte) + Int(plain[index]) - 255) <= 1)
      }
    }
  }

  @Test(
    .enabled(
      if: ReferenceFolder.url("mobile_sam_golden.safetensors") != nil,
      "needs mobile_sam_golden.safetensors in SAMSWIFT_REFERENCE"),
    arguments: [
      ("coffee.point.multi", 600, 400), ("coffee.box.single", 600, 400),
      ("rocket.point.multi", 640, 427), ("chelsea.point.single", 451, 300),
      ("astronaut.point.single", 512, 512),
    ])
  func matchesTheReferencePredictor(key: String, width: Int, height: Int) throws {
    let url = try #require(ReferenceFolder.url("mobile_sam_golden.safetensors"))
    let file = try CheckpointFile.open(url)
    let low = try #require(file["\(key).low_res"])
    let sampled = try #require(file["\(key).logits.stride4"])
    let geometry = FrameGeometry(
      imageWidth: width, imageHeight: height, frameSize: 1024, padMultiple: nil, maskStride: 4)
    let postprocessor = MaskPostprocessor(geometry: geometry)
    let (lowValues, expected) = (low.floats(), sampled.floats())
    let columns = (width + 3) / 4
    let rows = (height + 3) / 4
    try #require(expected.count == low.shape[0] * columns * rows)
    for mask in 0..<low.shape[0] {
      let grid = LogitGrid(
        width: 256, height: 256,
        values: Array(lowValues[mask * 256 * 256..<(mask + 1) * 256 * 256]))
      let full = postprocessor.logits(grid, size: .picture)
      var worst: Float = 0
      for y in 0..<rows {
        for x in 0..<columns {
          let error = abs(full[4 * y * width + 4 * x] - expected[(mask * rows + y) * columns + x])
          worst = max(worst, error)
        }
      }
      #expect(worst < 1e-4, "\(key), mask \(mask): worst error \(worst)")
    }
  }
}

/// One case of the golden masks.
struct MaskGolden {
  let geometry: FrameGeometry
  let grid: LogitGrid
  private let file: any Checkpoint
  private let name: String

  private struct Case: Decodable {
    var width: Int
    var height: Int
    var frame: Int
    var multiple: Int
    var stride: Int
  }

  init(_ name: String) throws {
    let url = Bundle.module.bundleURL.appendingPathComponent("Goldens/masks.safetensors")
    file = try CheckpointFile.open(url)
    self.name = name
    let text = try #require(file.metadata[name])
    let values = try JSONDecoder().decode(Case.self, from: Data(text.utf8))
    geometry = FrameGeometry(
      imageWidth: values.width, imageHeight: values.height, frameSize: values.frame,
      padMultiple: values.multiple == 0 ? nil : values.multiple, maskStride: values.stride)
    let tensor = try #require(file["\(name).grid"])
    grid = LogitGrid(width: tensor.shape[1], height: tensor.shape[0], values: tensor.floats())
  }

  func values(_ key: String) throws -> [Float] {
    try #require(file["\(name).\(key)"]).floats()
  }
}
