import Foundation
import SamEvaluation
import SamSwift
import SamTestSupport
import Testing

/// The figures that PyTorch gave for the Lite model, measured again.
///
/// The photographs are not part of the repository: `eval` and `lite` lie beside the folder that `SAMSWIFT_REFERENCE`
/// names.
struct PublishedFiguresTests {
  private struct Figures: Decodable {
    let photographs: Int
    let objects: Int
    let means: [String: Double]
    let shares: [String: Double]

    enum CodingKeys: String, CodingKey {
      case photographs, objects
      case means = "mean_iou_percent"
      case shares = "share_at_0.8"
    }
  }

  private static let photographs = ReferenceFolder.url("../eval")
  private static let figures = ReferenceFolder.url("../lite/figures.json")

  @Test(.enabled("the held-out photographs are not here") { photographs != nil && figures != nil })
  func areReproducedWithinHalfAPoint() throws {
    let file = try #require(Self.figures)
    let expected = try JSONDecoder().decode(Figures.self, from: Data(contentsOf: file))
    var options = Evaluation.Options()
    options.qualities = [.balanced]
    let report = try Evaluation(
      of: EvaluationFolder(try #require(Self.photographs)),
      session: SamSession(configuration: .init(precision: .float32)), options: options
    ).run()
    #expect(report.photographs == expected.photographs)
    #expect(report.objects == expected.objects)
    let means = report.summary(of: .balanced).all
    for step in EvaluationStep.allCases {
      let iou = try #require(means.iou[step]) * 100
      let share = try #require(means.goodShare[step]) * 100
      #expect(abs(iou - (try #require(expected.means[step.rawValue]))) <= 0.5, "\(step) \(iou)")
      #expect(
        abs(share - (try #require(expected.shares[step.rawValue]))) <= 0.5, "\(step) \(share)")
    }
  }
}
