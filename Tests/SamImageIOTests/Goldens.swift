import Foundation
import SamImageIO

/// The committed files.
enum Goldens {
  static let folder = Bundle.module.bundleURL.appendingPathComponent("Goldens")

  static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// All files whose name meets a condition, in order.
  static func names(where condition: (String) -> Bool) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return all.filter(condition).sorted()
  }
}

/// A line of expected.txt: what a PNG must decode to.
struct ExpectedPicture: Sendable, CustomStringConvertible {
  let name: String
  let width: Int
  let height: Int
  let channels: Int
  let checksum: UInt32

  var description: String { name }

  static let all: [ExpectedPicture] = {
    guard let text = try? String(contentsOf: Goldens.url("expected.txt"), encoding: .utf8) else {
      return []
    }
    return text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count == 5, let width = Int(fields[1]), let height = Int(fields[2]),
        let channels = Int(fields[3]), let checksum = UInt32(fields[4], radix: 16)
      else { return nil }
      return ExpectedPicture(
        name: String(fields[0]), width: width, height: height, channels: channels,
        checksum: checksum)
    }
  }()
}

/// The checksum that zlib and PNG use.
func crc32(_ bytes: [UInt8]) -> UInt32 {
  var value = UInt32.max
  for byte in bytes {
    value ^= UInt32(byte)
    for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
  }
  return ~value
}

/// A picture in which every byte tells its place.
func gradient(width: Int, height: Int, channels: Int) -> PixelImage {
  PixelImage(
    width: width, height: height, channels: channels,
    pixels: (0..<width * height * channels).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 256) })
}

/// A smooth picture, as lossy formats keep well.
func smooth(width: Int, height: Int, channels: Int) -> PixelImage {
  var picture = PixelImage(width: width, height: height, channels: channels, repeating: 255)
  for y in 0..<height {
    for x in 0..<width {
      for channel in 0..<min(channels, 3) {
        picture[x, y, channel] = UInt8(40 + (x * 2 + y * 3 + channel * 40) % 160)
      }
    }
  }
  return picture
}
