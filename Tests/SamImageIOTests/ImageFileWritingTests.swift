import Foundation
import SamImageIO
import SamTestSupport
import Testing

/// Whatever happens, a file is the old one or the new one, and nothing else is left behind.
struct ImageFileWritingTests {
  private let folder: TemporaryFolder
  private let picture = smooth(width: 20, height: 10, channels: 3)

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func aNameOfTheGreatestLengthWorks() throws {
    let url = folder.file(String(repeating: "n", count: 251) + ".png")
    try ImageEncoder.write(picture, to: url)
    #expect(try ImageDecoder().decode(contentsOf: url) == picture)
  }

  @Test func aPictureThatCannotBeEncodedLeavesTheOldFile() throws {
    let url = try folder.write("precious".utf8, as: "old.jpg")
    let tooWide = PixelImage(width: 65501, height: 1, channels: 1, repeating: 0)
    #expect(throws: ImageIOError.self) { try ImageEncoder.write(tooWide, to: url) }
    #expect(try Data(contentsOf: url) == Data("precious".utf8))
    #expect(try folder.names() == ["old.jpg"])
  }

  @Test(arguments: [
    "missing/picture.png", "file.txt/picture.png", "folder.png", "full.png",
    "no-name/\(String(repeating: "n", count: 300)).png",
  ])
  func anUnwritablePlaceIsNamed(_ name: String) throws {
    _ = try folder.write("precious".utf8, as: "file.txt")
    try FileManager.default.createDirectory(
      at: folder.file("folder.png"), withIntermediateDirectories: false)
    // Writing to this device fails as on a full disk.
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("full.png").path, withDestinationPath: "/dev/full")
    let before = try folder.names()
    let url = folder.file(name)
    let error = try #require(throws: ImageIOError.self) {
      try ImageEncoder.write(picture, to: url)
    }
    guard case .unwritable(url.path, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!reason.isEmpty)
    #expect(try folder.names() == before)
    #expect(try Data(contentsOf: folder.file("file.txt")) == Data("precious".utf8))
  }

  @Test(.disabled(if: geteuid() == 0, "the superuser may write anywhere"))
  func aProtectedPlaceKeepsItsFile() throws {
    let url = try folder.write("precious".utf8, as: "old.png")
    for (path, mode) in [(url.path, 0o444), (folder.url.path, 0o555)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      #expect(throws: ImageIOError.self) { try ImageEncoder.write(picture, to: url) }
      #expect(try Data(contentsOf: url) == Data("precious".utf8))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    #expect(try folder.names() == ["old.png"])
  }

  @Test func whatIsNoFileIsWrittenInto() throws {
    try ImageEncoder.write(picture, to: URL(fileURLWithPath: "/dev/null"), as: .png)
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func aRemoteAddressIsRefused() throws {
    let url = try #require(URL(string: "https://example.org/picture.png"))
    #expect(throws: ImageIOError.self) { try ImageEncoder.write(picture, to: url) }
  }
}
