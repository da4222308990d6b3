import Foundation
import SamEvaluation
import SamSwift
import SamTestSupport
import Testing

/// The protocol with the Lite model on two photographs.
struct EvaluationTests {
  private let files: LabelledFolder
  private let folder: EvaluationFolder

  init() throws {
    files = try LabelledFolder()
    folder = try EvaluationFolder(files.url)
  }

  private func session(
    threads: Int? = nil, _ precision: SamConfiguration.Precision = .float32
  ) throws -> SamSession {
    try SamSession(configuration: .init(threads: threads, precision: precision))
  }

  private func options(_ qualities: [SamQuality] = [.balanced]) -> Evaluation.Options {
    var options = Evaluation.Options()
    options.qualities = qualities
    return options
  }

  @Test func measuresObjectsOfOneToEightyPercentAtEveryLevel() throws {
    let report = try Evaluation(
      of: folder, session: session(), options: options(SamQuality.allCases)
    ).run()
    #expect(report.photographs == 2)
    #expect(report.objects == 3)
    let rows = report.results.map { "\($0.picture) \($0.label) \($0.quality.rawValue)" }
    let objects = [("cup.jpg", [3, 7]), ("rocket.jpg", [200])]
    #expect(
      rows
        == objects.flatMap { picture, labels in
          SamQuality.allCases.flatMap { quality in
            labels.map { "\(picture) \($0) \(quality.rawValue)" }
          }
        })
    for result in report.results {
      #expect(result.scores.count == EvaluationStep.allCases.count)
      for score in result.scores.values {
        #expect((0...1).contains(score.iou) && (0...1).contains(score.boundary))
      }
    }
  }

  @Test func aCupInItsBoxIsFound() throws {
    let report = try Evaluation(of: folder, session: session(), options: options()).run()
    let cup = try #require(report.results.first { $0.label == 3 })
    #expect(try #require(cup.scores[.box]).iou > 0.6)
    #expect(abs(cup.share - 0.22) < 0.01)
  }

  @Test func clicksNeededAreTheFirstThatReachTheGoal() throws {
    let report = try Evaluation(of: folder, session: session(), options: options()).run()
    for result in report.results {
      for (step, clicks) in [(EvaluationStep.click1, 1), (.click3, 3), (.click5, 5)] {
        if try #require(result.scores[step]).iou >= Evaluation.goodIoU {
          #expect(try #require(result.clicksNeeded) <= clicks)
        }
      }
      if let needed = result.clicksNeeded { #expect((1...Evaluation.mostClicks).contains(needed)) }
    }
  }

  @Test func threadsDoNotChangeTheResult() throws {
    let one = try Evaluation(of: folder, session: session(threads: 1), options: options()).run()
    let two = try Evaluation(of: folder, session: session(threads: 2), options: options()).run()
    #expect(one.results.map(\.scores) == two.results.map(\.scores))
    #expect(one.results.map(\.clicksNeeded) == two.results.map(\.clicksNeeded))
  }

  @Test func aModelAgreesWithItself() throws {
    let report = try Evaluation(
      of: folder, session: session(), comparedWith: session(), options: options()
    ).run()
    for step in EvaluationStep.allCases {
      #expect(report.agreement[step] == [1, 1, 1])
    }
  }

  @Test func meansAreOverAllObjects() throws {
    let report = try Evaluation(of: folder, session: session(), options: options()).run()
    let means = report.summary(of: .balanced).all
    let boxes = report.results.compactMap { $0.scores[.box]?.iou }
    #expect(abs(try #require(means.iou[.box]) - boxes.reduce(0, +) / 3) < 1e-12)
    let good = Double(boxes.filter { $0 >= 0.8 }.count) / 3
    #expect(means.goodShare[.box] == good)
    #expect(report.summary(of: .balanced).sources.isEmpty)
  }

  @Test func progressCountsPhotographs() throws {
    var seen: [[Int]] = []
    _ = try Evaluation(of: folder, session: session(), options: options()).run {
      seen.append([$0, $1])
    }
    #expect(seen == [[0, 2], [1, 2], [2, 2]])
  }

  @Test func theSheetShowsTheWorstAndTheBest() throws {
    var options = options()
    options.sheetCases = 5
    let sheet = try #require(
      try Evaluation(of: folder, session: session(), options: options).run().sheet)
    #expect(sheet.width == 8 + 4 * 248)
    #expect(sheet.channels == 3)
    // Green clicks are on it, and pink masks.
    let colours = Set(
      stride(from: 0, to: sheet.pixels.count, by: 3).map { i in
        [sheet.pixels[i], sheet.pixels[i + 1], sheet.pixels[i + 2]]
      })
    #expect(colours.contains([46, 204, 64]))
  }

  @Test func aLabelMapOfAnotherSizeIsAnError() throws {
    let labels = files.folder.file("cup.png")
    try LabelledFolder.write(to: labels, width: 60, height: 40) { _, _ in 1 }
    let evaluation = try Evaluation(of: folder, session: session(), options: options())
    #expect(
      throws: EvaluationError.sizesDiffer(
        labels: labels.path, wanted: "600×400", actual: "60×40")
    ) { try evaluation.run() }
  }

  @Test func aFolderWithNothingToMeasureIsAnError() throws {
    let files = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: TestPhotos.url("rocket.jpg"), to: files.file("rocket.jpg"))
    try LabelledFolder.write(to: files.file("rocket.png"), width: 640, height: 427) { _, _ in 0 }
    let evaluation = try Evaluation(of: EvaluationFolder(files.url), session: session())
    #expect(
      throws: EvaluationError.nothingToMeasure(path: files.url.path, photographs: 1)
    ) { try evaluation.run() }
  }
}
