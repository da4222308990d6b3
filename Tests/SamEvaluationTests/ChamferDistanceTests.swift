import Foundation
import SamCheckpoint
import SamEvaluation
import Testing

/// Distances are OpenCV's, bit for bit: a click one pixel off leads to other masks.
struct ChamferDistanceTests {
  private static let names = [
    "large_shapes", "small_shapes", "noise", "disc", "cut_by_the_edge", "whole", "row", "column",
    "pixel", "equal_peaks",
  ]
  private let golden: any Checkpoint

  init() throws {
    golden = try CheckpointFile.open(
      Bundle.module.bundleURL.appendingPathComponent("Goldens/chamfer.safetensors"))
  }

  private func mask(_ name: String) throws -> BinaryMask {
    let tensor = try #require(golden[name + ".mask"])
    return BinaryMask(
      width: tensor.shape[1], height: tensor.shape[0], bytes: tensor.floats().map { UInt8($0) })
  }

  @Test(arguments: names) func distancesAreOpenCVs(_ name: String) throws {
    let expected = try #require(golden[name + ".distance"]).floats()
    #expect(ChamferDistance.distances(in: try mask(name)) == expected)
  }

  @Test(arguments: names) func theInnermostPointIsTheFirstLargest(_ name: String) throws {
    let expected = try #require(golden[name + ".innermost"]).floats()
    let largest = try #require(golden[name + ".distance"]).floats().max()
    let found = ChamferDistance.innermost(of: try mask(name))
    #expect([Float(found.x), Float(found.y)] == expected)
    #expect(found.distance == largest)
  }

  @Test func everyGoldenIsTried() {
    #expect(golden.tensors.count == 3 * Self.names.count)
  }

  @Test func anEmptyMaskHasNoInside() {
    let found = ChamferDistance.innermost(of: BinaryMask("...", "..."))
    #expect(found.x == 0 && found.y == 0 && found.distance == 0)
  }
}
