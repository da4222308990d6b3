import Foundation
import SamCommandLine
import Testing

struct OutputFileTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test func writesANewFile() throws {
    let path = folder.path("new.bin")
    try OutputFile.write(Data([1, 2, 3]), to: path, shownAs: "new.bin")
    #expect(try folder.bytes("new.bin") == [1, 2, 3])
    #expect(try folder.names() == ["new.bin"])
  }

  @Test func replacesAFileAndKeepsItsPermissions() throws {
    try folder.write("old.bin", [9])
    chmod(folder.path("old.bin"), 0o640)
    try OutputFile.write(Data([1]), to: folder.path("old.bin"), shownAs: "old.bin")
    #expect(try folder.bytes("old.bin") == [1])
    var status = stat()
    #expect(stat(folder.path("old.bin"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test func followsASymbolicLink() throws {
    try folder.write("target.bin", [9])
    #expect(symlink(folder.path("target.bin"), folder.path("link.bin")) == 0)
    try OutputFile.write(Data([1]), to: folder.path("link.bin"), shownAs: "link.bin")
    #expect(try folder.bytes("target.bin") == [1])
    #expect(try folder.names() == ["link.bin", "target.bin"])
    var status = stat()
    #expect(lstat(folder.path("link.bin"), &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func writesIntoADevice() throws {
    try OutputFile.write(Data([1]), to: "/dev/null", shownAs: "/dev/null")
    var status = stat()
    #expect(stat("/dev/null", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func aFullDiskLeavesTheOldFileAlone() throws {
    // /dev/full refuses every byte; a link to it stands for a disk without room.
    #expect(symlink("/dev/full", folder.path("full.bin")) == 0)
    #expect(throws: FileError.unwritable(path: "full.bin", reason: "no space left on device")) {
      try OutputFile.write(Data([1]), to: folder.path("full.bin"), shownAs: "full.bin")
    }
  }

  @Test func refusesAFolder() throws {
    let error = FileError.unwritable(path: "here", reason: "it is a folder")
    #expect(throws: error) { try OutputFile.check(folder.path, shownAs: "here") }
    #expect(throws: error) { try OutputFile.write(Data([]), to: folder.path, shownAs: "here") }
  }

  @Test func refusesAFolderThatDoesNotExist() throws {
    let path = folder.path("none/x.png")
    let error = FileError.unwritable(
      path: "none/x.png", reason: "its folder: no such file or directory")
    #expect(throws: error) { try OutputFile.check(path, shownAs: "none/x.png") }
    #expect(throws: FileError.self) {
      try OutputFile.write(Data([1]), to: path, shownAs: "none/x.png")
    }
  }

  @Test func refusesAFileUnderAFile() throws {
    try folder.write("file", [1])
    #expect(throws: FileError.unwritable(path: "file/x", reason: "not a directory")) {
      try OutputFile.check(folder.path("file/x"), shownAs: "file/x")
    }
  }
}
