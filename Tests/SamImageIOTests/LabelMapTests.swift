import Foundation
import SamImageIO
import SamTestSupport
import Testing

/// Numbers of objects are read as they are stored, whatever colours the file gives them.
struct LabelMapTests {
  /// A line of labels.txt.
  struct Expected: Sendable, CustomStringConvertible {
    let name: String
    let width: Int
    let height: Int
    let checksum: UInt32

    var description: String { name }

    static let all: [Expected] = {
      let text = try? String(contentsOf: Goldens.url("labels.txt"), encoding: .utf8)
      return (text ?? "").split(separator: "\n").compactMap { line in
        let fields = line.split(separator: " ")
        guard fields.count == 4, let width = Int(fields[1]), let height = Int(fields[2]),
          let checksum = UInt32(fields[3], radix: 16)
        else { return nil }
        return Expected(
          name: String(fields[0]), width: width, height: height, checksum: checksum)
      }
    }()
  }

  @Test func allGoldensAreListed() {
    #expect(Expected.all.count == 28)
  }

  @Test(arguments: Expected.all) func readsStoredNumbers(_ expected: Expected) throws {
    let map = try LabelMap(contentsOf: Goldens.url(expected.name))
    #expect(map.width == expected.width)
    #expect(map.height == expected.height)
    #expect(
      crc32(map.values.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == expected.checksum)
  }

  @Test func writtenGrayComesBack() throws {
    let folder = try TemporaryFolder()
    let picture = gradient(width: 19, height: 31, channels: 1)
    try ImageEncoder.write(picture, to: folder.file("labels.png"))
    let map = try LabelMap(contentsOf: folder.file("labels.png"))
    #expect(map.values == picture.pixels.map(UInt16.init))
  }

  @Test(arguments: ["rgb8.png", "rgba16.png", "gray_alpha8.png", "gray.jpg"])
  func refusesColourAndWhatLosesNumbers(_ name: String) throws {
    let url = Goldens.url(name)
    let error = try #require(throws: ImageIOError.self) { try LabelMap(contentsOf: url) }
    guard case .unsupported(let file, _, _) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(file == url.path)
  }

  @Test(arguments: Goldens.names { $0.hasPrefix("bad_") && $0.hasSuffix(".png") })
  func aFaultyFileIsAnError(_ name: String) {
    #expect(throws: ImageIOError.self) { try LabelMap(contentsOf: Goldens.url(name)) }
  }

  @Test(arguments: ["palette4_interlaced.png", "gray16.png"])
  func aFileCutAnywhereIsAnError(_ name: String) throws {
    let bytes = try Data(contentsOf: Goldens.url(name))
    let folder = try TemporaryFolder()
    for count in stride(from: 0, to: bytes.count, by: 7) {
      let cut = try folder.write(bytes.prefix(count), as: "cut.png")
      #expect(throws: ImageIOError.self, "\(count) of \(bytes.count) bytes give labels") {
        try LabelMap(contentsOf: cut)
      }
    }
  }
}
