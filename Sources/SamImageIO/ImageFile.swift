internal import Foundation

/// A picture file read into memory, with its format recognised from the first bytes.
///
/// The bytes are read, not mapped: a file that another program cuts short while it is mapped ends
/// the process.
struct ImageFile {
  /// No picture within the limits has a longer file: 16-bit RGBA, uncompressed, takes this much.
  static let maximumByteCount = ImageDecoder.defaultMaximumPixelCount * 8

  /// The path, for errors.
  let name: String
  let format: ImageFormat
  let bytes: [UInt8]

  init(contentsOf url: URL) throws(ImageIOError) {
    guard url.isFileURL else {
      throw .unreadable(file: url.absoluteString, reason: "it is not a file URL")
    }
    let name = url.path
    let descriptor = open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      throw code == ENOENT
        ? .missing(file: name) : .unreadable(file: name, reason: String(cString: strerror(code)))
    }
    defer { close(descriptor) }

    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unreadable(file: name, reason: String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .isDirectory(file: name) }

    // A gigabyte of something else is refused before it is read.
    let beginning = try Self.read(descriptor, atMost: 16, name: name)
    guard !beginning.isEmpty else { throw .empty(file: name) }
    guard let format = ImageFormat(firstBytes: beginning) else { throw .unknownFormat(file: name) }

    var bytes = beginning
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    if isRegular, status.st_size <= Self.maximumByteCount {
      bytes.reserveCapacity(Int(status.st_size) + 1)
    }
    while true {
      // One byte more than the file has finds its end in the same call.
      let wanted = max(1 << 16, (isRegular ? Int(status.st_size) : 0) - bytes.count + 1)
      let more = try Self.read(descriptor, atMost: min(wanted, 1 << 26), name: name)
      if more.isEmpty { break }
      bytes += more
      guard bytes.count <= Self.maximumByteCount else {
        throw .fileTooLarge(file: name, limit: Self.maximumByteCount)
      }
    }
    self.name = name
    self.format = format
    self.bytes = bytes
  }

  /// Reads until `limit` bytes are there or the file ends.
  private static func read(
    _ descriptor: Int32, atMost limit: Int, name: String
  ) throws(ImageIOError) -> [UInt8] {
    var fault: ImageIOError?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        let got = Foundation.read(descriptor, buffer.baseAddress.map { $0 + count }, limit - count)
        if got > 0 {
          count += got
        } else if got == 0 {
          return
        } else if errno != EINTR {
          fault = .unreadable(file: name, reason: String(cString: strerror(errno)))
          return
        }
      }
    }
    if let fault { throw fault }
    return bytes
  }
}
