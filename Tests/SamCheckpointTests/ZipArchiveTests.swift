import Foundation
import SamCheckpoint
import SamTestSupport
import Testing

struct ZipArchiveTests {
  private func refusal(_ change: (inout ZipBuilder) -> Void) throws -> String {
    var builder = ZipBuilder.checkpoint(
      pickle: PickleBuilder().raw("}.").bytes, storages: [[1, 2, 3, 4]])
    change(&builder)
    let folder = try TemporaryFolder()
    let url = try folder.write(builder.bytes(), as: "archive.pt")
    do {
      let file = try PyTorchFile(url: url)
      return "was read, with \(file.tensors.count) tensors"
    } catch {
      return error.description
    }
  }

  @Test func readsAnEmptyStateDictAndAComment() throws {
    #expect(try refusal { _ in } == "was read, with 0 tensors")
    #expect(
      try refusal { $0.comment = Array("PK\u{5}\u{6} hello".utf8) } == "was read, with 0 tensors")
  }

  @Test func refusesWhatPyTorchNeverWrites() throws {
    #expect(try refusal { $0.entries[2].method = 8 }.contains("is compressed (method 8)"))
    #expect(try refusal { $0.entries[2].flags = 1 }.contains("is encrypted"))
    #expect(try refusal { $0.disk = 1 }.contains("one part of several"))
    #expect(
      try refusal { $0.entries[1].bytes = Array("big".utf8) }.contains("other than little-endian"))
    #expect(
      try refusal { $0.entries[0].name = "test/data.txt" }.contains("0 entries called data.pkl"))
    #expect(
      try refusal { $0.entries[1].name = "other/data.pkl" }.contains("2 entries called data.pkl"))
  }

  @Test func refusesADirectoryThatLies() throws {
    #expect(try refusal { $0.entries[2].claimedSize = 5000 }.contains("needs 5000 bytes"))
    #expect(try refusal { $0.entries[2].claimedPackedSize = 3 }.contains("has two sizes"))
    #expect(try refusal { $0.entries[2].claimedOffset = 9 }.contains("has no header at byte 9"))
    #expect(try refusal { $0.entries[2].claimedOffset = .max }.contains("lacks its zip64 sizes"))
    #expect(try refusal { $0.entries[2].claimedSize = .max }.contains("lacks its zip64 sizes"))
    #expect(try refusal { $0.entries[2].localName = "test/data/9" }.contains("called otherwise"))
    #expect(try refusal { $0.entries[2].name = "test/byteorder" }.contains("stands in it twice"))
    #expect(try refusal { $0.claimedCount = 2 }.contains("holds more than it counts"))
    #expect(try refusal { $0.claimedCount = 4 }.contains("is cut short"))
    #expect(try refusal { $0.claimedDirectoryOffset = 1 << 30 }.contains("outside the file"))
    #expect(try refusal { $0.claimedDirectoryOffset = 0 }.contains("is cut short"))
  }

  @Test func refusesMoreEntriesThanAFileOfItsSizeNeeds() throws {
    let refusal = try refusal { builder in
      builder.entries += (0..<8000).map { ZipBuilder.Entry(name: "t/\($0)", bytes: []) }
    }
    #expect(refusal.contains("number of archive entries: 8003, more than the limit of"))
  }

  @Test func refusesEntriesThatOverlap() throws {
    #expect(
      try refusal {
        // The pickle claims the entry behind it as its own.
        $0.entries[0].claimedSize = UInt32($0.entries[0].bytes.count + 20)
      }.contains("two entries overlap"))
  }

  @Test func refusesAZip64RecordThatPointsOutside() throws {
    let folder = try TemporaryFolder()
    let whole = [UInt8](try Data(contentsOf: Goldens.url("zip64.pt")))
    let locator = whole.count - 42
    let record = locator - 56
    for (position, value) in [
      (locator + 8, UInt64.max), (locator + 8, 0), (record + 24, 1 << 40), (record + 32, 1 << 40),
      (record + 40, .max), (record + 48, .max), (record + 48, UInt64(whole.count)),
    ] {
      var bytes = whole
      bytes.replaceSubrange(position..<position + 8, with: little(value))
      let url = try folder.write(bytes, as: "bad.pt")
      #expect(throws: CheckpointError.self, "\(value) at \(position)") { try PyTorchFile(url: url) }
    }
  }
}
