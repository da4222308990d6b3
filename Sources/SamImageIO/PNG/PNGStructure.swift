/// The chunks of a PNG file, walked to the end before anything is decoded.
///
/// libpng stops at the last pixel; walking all chunks finds a file that is cut behind it, and the
/// header, orientation and gamma on the way.
struct PNGStructure {
  let width: Int
  let height: Int
  let orientation: ImageOrientation
  /// 16 bits a channel, in Adam7 order.
  let isDeepAndInterlaced: Bool
  /// Chunks that would make libpng change values.
  let gammaChunks: [Range<Int>]

  init(_ bytes: UnsafeBufferPointer<UInt8>, name: String) throws(ImageIOError) {
    var offset = ImageFormat.pngSignature.count
    var size: (width: Int, height: Int)?
    var orientation = ImageOrientation.up
    var isDeepAndInterlaced = false
    var gammaChunks: [Range<Int>] = []
    while true {
      guard let length = Self.number(bytes, at: offset),
        let type = Self.number(bytes, at: offset + 4)
      else { throw .truncated(file: name, format: .png) }
      // A length is below 2³¹, so the sum cannot overflow.
      guard length < 1 << 31 else {
        throw .corrupt(file: name, format: .png, detail: "a chunk has an impossible length")
      }
      let end = offset + 12 + length
      guard end <= bytes.count else { throw .truncated(file: name, format: .png) }
      if size == nil {
        guard type == Self.header, length == 13,
          let width = Self.number(bytes, at: offset + 8),
          let height = Self.number(bytes, at: offset + 12)
        else { throw .corrupt(file: name, format: .png, detail: "it does not begin with a header") }
        guard width > 0, height > 0 else { throw .noPixels(file: name, format: .png) }
        size = (width, height)
        isDeepAndInterlaced = bytes[offset + 16] == 16 && bytes[offset + 20] != 0
      }
      if type == Self.exif {
        orientation = ExifOrientation.find(
          in: UnsafeBufferPointer(rebasing: bytes[offset + 8..<end - 4]))
      } else if isDeepAndInterlaced
        ? Self.colorSpaces.contains(type)
        : type == Self.gamma && (length != 4 || Self.number(bytes, at: offset + 8) != 45455)
      {
        // 45455 is 1/2.2, which libpng takes for sRGB.
        gammaChunks.append(offset..<end)
      } else if type == Self.end {
        break
      }
      offset = end
    }
    guard let size else { throw .truncated(file: name, format: .png) }
    (width, height) = size
    self.orientation = orientation
    self.isDeepAndInterlaced = isDeepAndInterlaced
    self.gammaChunks = gammaChunks
  }

  /// A copy of the file that says nothing of gamma, so that values come as they are stored.
  func bytesWithoutGamma(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var offset = 0
    for chunk in gammaChunks {
      plain += bytes[offset..<chunk.lowerBound]
      offset = chunk.upperBound
    }
    plain += bytes[offset...]
    return plain
  }

  /// A copy of the file with nothing but header, palette and pixels, whose numbers libpng has no
  /// reason to change.
  func pixelChunks(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var offset = ImageFormat.pngSignature.count
    var kept = Array(bytes[..<offset])
    // The initialiser has found every length within the file, up to the end chunk.
    while let length = Self.number(bytes, at: offset),
      let type = Self.number(bytes, at: offset + 4)
    {
      let end = offset + 12 + length
      if Self.pixelTypes.contains(type) { kept += bytes[offset..<end] }
      if type == Self.end { break }
      offset = end
    }
    return kept
  }

  /// Four bytes, most significant first; nil past the end.
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int? {
    guard offset + 4 <= bytes.count else { return nil }
    return (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }

  // Chunk types: four letters as one number.
  private static let header = 0x4948_4452
  private static let exif = 0x6558_4966
  private static let gamma = 0x6741_4D41
  /// gAMA, sRGB, iCCP and cICP.
  private static let colorSpaces = [gamma, 0x7352_4742, 0x6943_4350, 0x6349_4350]
  private static let end = 0x4945_4E44
  /// IHDR, PLTE, IDAT and IEND.
  private static let pixelTypes = [header, 0x504C_5445, 0x4944_4154, end]
}
