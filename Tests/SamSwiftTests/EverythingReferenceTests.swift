import Foundation
import SamSwift
import SamTestSupport
import Testing

/// Everything-mode gives what SAM's automatic mask generator gives on the reference weights.
///
/// Goldens/everything.json is made by Tools/reference/make_everything.py.
struct EverythingReferenceTests {
  private static let goldens = Bundle.module.bundleURL.appendingPathComponent("Goldens")
  private static let weights = ReferenceFolder.url("mobile_sam_synthetic.pt")

  private struct Run: Decodable {
    let name: String
    let options: [String: Double]
    let records: [Record]
  }

  private struct Record: Decodable {
    struct Segmentation: Decodable {
      let size: [Int]
      let counts: String
    }

    let segmentation: Segmentation
    let area: Int
    let bbox: [Int]
    let cropBox: [Double]
    let pointCoords: [[Double]]
    let predictedIou: Double
    let stabilityScore: Double
  }

  @Test(.enabled(if: weights != nil, "the reference checkpoint is not here"), arguments: 0..<4)
  func findsWhatSAMFinds(_ index: Int) async throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let runs = try decoder.decode(
      [Run].self, from: Data(contentsOf: Self.goldens.appendingPathComponent("everything.json")))
    try #require(runs.count == 4)
    let run = runs[index]
    let session = try SamSession(
      model: .file(try #require(Self.weights)),
      configuration: SamConfiguration(precision: .float32))
    try await session.setImage(Self.goldens.appendingPathComponent("small.png"))
    let found = try await session.segmentEverything(options: Self.options(run.options)).segments
    #expect(found.count == run.records.count, "\(run.name)")
    var matched = 0
    for (segment, record) in zip(found, run.records) {
      // The order is the reference's too; scores of neighbours are farther apart than rounding.
      let golden = try MaskRuns(
        width: record.segmentation.size[1], height: record.segmentation.size[0],
        compressed: record.segmentation.counts)
      matched += Self.overlap(segment.runs, golden) >= 0.98 ? 1 : 0
      let own = segment.record()
      #expect(abs(Double(own.score) - record.predictedIou) < 1e-4)
      #expect(abs(Double(own.stability) - record.stabilityScore) < 1e-2)
      #expect(zip(own.points[0], record.pointCoords[0]).allSatisfy { abs($0 - $1) < 1e-9 })
      #expect(own.crop.map(Double.init) == record.cropBox)
      #expect(zip(own.box, record.bbox).allSatisfy { abs($0 - $1) <= 1 })
      #expect(abs(own.area - record.area) <= 1 + record.area / 100)
    }
    #expect(Double(matched) >= 0.98 * Double(run.records.count), "\(run.name)")
  }

  private static func options(_ values: [String: Double]) -> SamEverythingOptions {
    var options = SamEverythingOptions()
    for (name, value) in values {
      switch name {
      case "points_per_side": options.pointsPerSide = Int(value)
      case "pred_iou_thresh": options.scoreThreshold = value
      case "stability_score_thresh": options.stabilityThreshold = value
      case "box_nms_thresh": options.boxOverlapLimit = value
      case "crop_n_layers": options.cropLayers = Int(value)
      case "crop_nms_thresh": options.cropOverlapLimit = value
      case "min_mask_region_area": options.minimumRegionArea = Int(value)
      default: Issue.record("unknown option \(name)")
      }
    }
    return options
  }

  /// IoU of two masks.
  private static func overlap(_ a: MaskRuns, _ b: MaskRuns) -> Double {
    let (left, right) = (pixels(a), pixels(b))
    let both = zip(left, right).count { $0 && $1 }
    let any = zip(left, right).count { $0 || $1 }
    return any == 0 ? 1 : Double(both) / Double(any)
  }

  private static func pixels(_ runs: MaskRuns) -> [Bool] {
    runs.counts.enumerated().flatMap { Array(repeating: $0 % 2 == 1, count: $1) }
  }
}
