import SamImageIO
import Testing

/// The shapes that every function has to handle.
enum TestMask: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case empty, full, onePixel, ring, twoIslands

  var testDescription: String { rawValue }

  static let width = 23
  static let height = 17

  /// Whether a pixel lies inside.
  func holds(_ x: Int, _ y: Int) -> Bool {
    switch self {
    case .empty: return false
    case .full: return true
    case .onePixel: return x == 7 && y == 5
    case .ring:
      let square = (x - 11) * (x - 11) + (y - 8) * (y - 8)
      return (16...49).contains(square)
    case .twoIslands:
      return (2..<7).contains(x) && (3..<9).contains(y)
        || (14..<20).contains(x) && (8..<15).contains(y)
    }
  }

  /// 255 inside, 0 outside.
  var image: PixelImage {
    maskImage(width: Self.width, height: Self.height, holds)
  }

  /// How many pixels lie inside.
  var area: Int { image.pixels.count { $0 == 255 } }
}

/// A mask of 255 where `holds` says so and 0 elsewhere.
func maskImage(width: Int, height: Int, _ holds: (Int, Int) -> Bool) -> PixelImage {
  PixelImage(
    width: width, height: height, channels: 1,
    pixels: (0..<width * height).map { holds($0 % width, $0 / width) ? 255 : 0 })
}

/// A mask drawn with `#` for inside and anything else for outside, one string a row.
func drawn(_ rows: String...) -> PixelImage {
  let cells = rows.map(Array.init)
  return maskImage(width: cells[0].count, height: cells.count) { x, y in cells[y][x] == "#" }
}

/// Numbers that look random and are the same at each run.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    // xorshift64*
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }
}

/// A colour picture without any structure.
func noisePicture(width: Int, height: Int, channels: Int = 3, seed: UInt64 = 1) -> PixelImage {
  var numbers = SeededNumbers(seed: seed)
  return PixelImage(
    width: width, height: height, channels: channels,
    pixels: (0..<width * height * channels).map { _ in
      UInt8(truncatingIfNeeded: numbers.next() >> 40)
    })
}
