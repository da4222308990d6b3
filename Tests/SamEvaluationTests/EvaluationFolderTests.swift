import Foundation
import SamEvaluation
import SamTestSupport
import Testing

struct EvaluationFolderTests {
  private func folder(of count: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for index in 0..<count {
      _ = try folder.write([], as: "p\(index).jpg")
      _ = try folder.write([], as: "p\(index).png")
    }
    return folder
  }

  @Test func pairsPhotographsWithLabelMaps() throws {
    let files = try LabelledFolder()
    let pairs = try EvaluationFolder(files.url).pairs
    #expect(pairs.map(\.name) == ["cup.jpg", "rocket.jpg"])
    #expect(pairs[0].labels.lastPathComponent == "cup.png")
  }

  @Test(arguments: ["a.jpg", "a.jpeg", "a.JPG"]) func photographsAreJPEGs(_ name: String) throws {
    let files = try TemporaryFolder()
    for name in [name, "a.png", "b.png", "c.gif", "c.png"] { _ = try files.write([], as: name) }
    #expect(try EvaluationFolder(files.url).pairs.map(\.name) == [name])
  }

  @Test func aSampleDependsOnItsSeedOnly() throws {
    let files = try folder(of: 30)
    let folder = try EvaluationFolder(files.url)
    let sample = folder.sample(7, seed: 5)
    #expect(sample.count == 7)
    #expect(sample.map(\.name) == sample.map(\.name).sorted())
    #expect(sample == folder.sample(7, seed: 5))
    #expect(sample != folder.sample(7, seed: 6))
    #expect(folder.sample(100, seed: 5) == folder.pairs)
    #expect(folder.sample(nil, seed: 5) == folder.pairs)
  }

  @Test func aFolderWithoutPairsIsAnError() throws {
    let files = try TemporaryFolder()
    _ = try files.write([], as: "alone.jpg")
    #expect(throws: EvaluationError.nothingLabelled(path: files.url.path)) {
      try EvaluationFolder(files.url)
    }
  }

  @Test func aMissingFolderIsAnError() throws {
    let missing = try TemporaryFolder().file("missing")
    let error = try #require(throws: EvaluationError.self) { try EvaluationFolder(missing) }
    guard case .folderUnreadable(let path, _) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(path == missing.path)
  }
}
