import Foundation
import SamFiles
import SamTestSupport
import Testing

/// Whatever happens, a file is the old one or the new one, and nothing else is left behind.
struct ReplacementFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func makesAndReplacesAFile() throws {
    let url = folder.file("file.bin")
    try write(Array("first, and longer".utf8), to: url)
    try write(Array("second".utf8), to: url)
    #expect(try Data(contentsOf: url) == Data("second".utf8))
    try write([], to: url)
    #expect(try Data(contentsOf: url).isEmpty)
    #expect(try folder.names() == ["file.bin"])
  }

  @Test func aReplacedFileKeepsItsRights() throws {
    let url = try folder.write([1], as: "file.bin")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
    try write([2], to: url)
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func aLinkKeepsPointingWhereItDid() throws {
    let target = try folder.write([1], as: "target.bin")
    let link = folder.file("link.bin")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    try write([2], to: link)
    #expect(try Data(contentsOf: target) == Data([2]))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
  }

  @Test func aLinkToNothingYetLeadsToTheNewFile() throws {
    for (name, target) in [("far", "near"), ("near", "target.bin"), ("lost", "nowhere/x")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(name).path, withDestinationPath: target)
    }
    try write([2], to: folder.file("far"))
    #expect(try Data(contentsOf: folder.file("target.bin")) == Data([2]))
    #expect(throws: FileFault.self) { try write([2], to: folder.file("lost")) }
    #expect(try folder.names() == ["far", "lost", "near", "target.bin"])
    let manager = FileManager.default
    #expect(try manager.destinationOfSymbolicLink(atPath: folder.file("near").path) == "target.bin")
    #expect(try manager.destinationOfSymbolicLink(atPath: folder.file("lost").path) == "nowhere/x")
  }

  @Test func linksInACircleAreRefused() throws {
    for (name, target) in [("one", "two"), ("two", "one")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(name).path, withDestinationPath: target)
    }
    #expect(throws: FileFault.self) { try write([2], to: folder.file("one")) }
    #expect(try folder.names() == ["one", "two"])
  }

  @Test func whatIsLeftUnfinishedWasNeverThere() throws {
    let url = try folder.write([1], as: "file.bin")
    for name in ["file.bin", "new.bin"] {
      let file = try ReplacementFile(path: folder.file(name).path, others: .written)
      try file.write([2, 3])
    }
    #expect(try Data(contentsOf: url) == Data([1]))
    #expect(try folder.names() == ["file.bin"])
  }

  @Test func piecesMakeOneFile() throws {
    let url = folder.file("file.bin")
    let file = try ReplacementFile(path: url.path, others: .refused)
    for byte in UInt8(0)..<200 { try file.write([byte, byte]) }
    #expect(try folder.names() == [] || folder.names().first?.hasPrefix(".samswift-") == true)
    try file.finish()
    #expect(try Data(contentsOf: url) == Data((UInt8(0)..<200).flatMap { [$0, $0] }))
    #expect(try folder.names() == ["file.bin"])
  }

  @Test func aDeviceIsWrittenIntoOrRefused() throws {
    let file = try ReplacementFile(path: "/dev/null", others: .written)
    try file.write([1])
    try file.finish()
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    let refused = #expect(throws: FileFault.self) {
      try ReplacementFile(path: "/dev/null", others: .refused)
    }
    #expect(refused?.reason == "it is not a regular file")
    let full = try ReplacementFile(path: "/dev/full", others: .written)
    #expect(throws: FileFault.self) { try full.write([1]) }
  }

  @Test(arguments: [ReplacementFile.Others.written, .refused])
  func aFolderIsRefused(_ others: ReplacementFile.Others) throws {
    let fault = #expect(throws: FileFault.self) {
      try ReplacementFile(path: folder.url.path, others: others)
    }
    #expect(fault?.reason == "it is a folder")
    #expect(try folder.names() == [])
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
        for _ in 0..<4 { try? Self.write([UInt8](repeating: 0, count: size), to: url) }
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

  private func write(_ bytes: [UInt8], to url: URL) throws {
    try Self.write(bytes, to: url)
  }

  private static func write(_ bytes: [UInt8], to url: URL) throws {
    let file = try ReplacementFile(path: url.path, others: .written, isSynchronized: false)
    try file.write(bytes)
    try file.finish()
  }
}
