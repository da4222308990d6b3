import Foundation
import SamImageIO
import SamTestSupport
import Testing

/// Whatever happens, a file is the old one or the new one, and nothing else is left behind.
struct AtomicFileTests {
  private let folder: TemporaryFolder
  private let picture = smooth(width: 20, height: 10, channels: 3)

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func makesAndReplacesAFile() throws {
    let url = folder.file("picture.png")
    try AtomicFile.write(Data("first, and longer".utf8), to: url)
    try AtomicFile.write(Data("second".utf8), to: url)
    #expect(try Data(contentsOf: url) == Data("second".utf8))
    try AtomicFile.write(Data(), to: url)
    #expect(try Data(contentsOf: url).isEmpty)
    #expect(try folder.names() == ["picture.png"])
  }

  @Test func aReplacedFileKeepsItsRights() throws {
    let url = try folder.write([1], as: "picture.png")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
    try AtomicFile.write(Data([2]), to: url)
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func aLinkKeepsPointingWhereItDid() throws {
    let target = try folder.write([1], as: "target.png")
    let link = folder.file("link.png")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    try AtomicFile.write(Data([2]), to: link)
    #expect(try Data(contentsOf: target) == Data([2]))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
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

  #if os(Linux)
    /// Whether the folder for temporary files can hold a file without a name.
    private static let hasNamelessFiles: Bool = {
      let descriptor = open(NSTemporaryDirectory(), O_WRONLY | 0o20_000_000 | O_DIRECTORY, 0o600)
      if descriptor >= 0 { close(descriptor) }
      return descriptor >= 0
    }()

    @Test(.enabled(if: hasNamelessFiles, "this file system knows no files without a name"))
    func aFileThatIsBeingWrittenHasNoName() throws {
      let size = 32 << 20
      let url = folder.file("big.bin")
      let writing = DispatchGroup()
      DispatchQueue.global().async(group: writing) {
        for _ in 0..<4 { try? AtomicFile.write(Data(count: size), to: url, isSynchronized: false) }
      }
      // A process that is killed meanwhile can only leave what has a name.
      while writing.wait(timeout: .now()) == .timedOut {
        for name in try folder.names() {
          var status = stat()
          guard stat(folder.file(name).path, &status) == 0 else { continue }
          #expect(status.st_size == size)
        }
      }
      #expect(try Data(contentsOf: url).count == size)
    }
  #endif

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
