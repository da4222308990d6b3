import Foundation
import SamImageIO
import Testing

struct ImageOrientationTests {
  /// Where the stored pixel (x, y) of a width × height picture is displayed, from EXIF's words for
  /// which side of the picture the first row and the first column are.
  private static func displayed(
    _ orientation: ImageOrientation, _ x: Int, _ y: Int, _ width: Int, _ height: Int
  ) -> (Int, Int) {
    switch orientation {
    case .up: (x, y)
    case .upMirrored: (width - 1 - x, y)
    case .down: (width - 1 - x, height - 1 - y)
    case .downMirrored: (x, height - 1 - y)
    case .leftMirrored: (y, x)
    case .right: (height - 1 - y, x)
    case .rightMirrored: (height - 1 - y, width - 1 - x)
    case .left: (y, width - 1 - x)
    }
  }

  @Test(arguments: ImageOrientation.allCases, [1, 3, 4])
  func turnsEveryPixelToItsPlace(_ orientation: ImageOrientation, channels: Int) {
    for (width, height) in [(1, 1), (7, 1), (1, 40), (33, 18), (17, 32)] {
      let stored = gradient(width: width, height: height, channels: channels)
      let turned = stored.oriented(by: orientation)
      #expect(turned.width == (orientation.swapsSides ? height : width))
      for y in 0..<height {
        for x in 0..<width {
          let place = Self.displayed(orientation, x, y, width, height)
          guard turned[place.0, place.1] == stored[x, y] else {
            Issue.record("\(orientation), \(width)×\(height): pixel (\(x), \(y))")
            return
          }
        }
      }
    }
  }

  @Test(arguments: ImageOrientation.allCases)
  func readsAndAppliesTheFilesOwn(_ orientation: ImageOrientation) throws {
    let url = Goldens.url("orientation\(orientation.rawValue).jpg")
    let information = try ImageDecoder().probe(contentsOf: url)
    #expect(information.orientation == orientation)
    #expect(information.storedWidth == 29 && information.storedHeight == 19)
    #expect(information.width == (orientation.swapsSides ? 19 : 29))
    #expect(information.height == (orientation.swapsSides ? 29 : 19))

    let stored = try ImageDecoder(orientation: .asStored).decode(contentsOf: url)
    #expect(stored.width == 29)
    let displayed = try ImageDecoder().decode(contentsOf: url)
    #expect(displayed == stored.oriented(by: orientation))
  }

  @Test(arguments: ImageOrientation.allCases, ["orientation6.jpg", "turned.png", "cmyk.jpg"])
  func obeysAnExplicitOne(_ orientation: ImageOrientation, name: String) throws {
    let url = Goldens.url(name)
    let stored = try ImageDecoder(orientation: .asStored).decode(contentsOf: url)
    let turned = try ImageDecoder(orientation: .explicit(orientation)).decode(contentsOf: url)
    #expect(turned == stored.oriented(by: orientation))
  }

  @Test func readsAPNGsOwn() throws {
    #expect(try ImageDecoder().probe(contentsOf: Goldens.url("turned.png")).orientation == .right)
  }

  /// Every byte of the EXIF block, set to values that break offsets, counts and types.
  @Test func damagedEXIFNeverHurts() throws {
    let data = try Data(contentsOf: Goldens.url("orientation6.jpg"))
    let exif = try #require(data.firstRange(of: Data("Exif".utf8)))
    for place in exif.lowerBound..<exif.lowerBound + 32 {
      for value: UInt8 in [0, 1, 7, 0x7F, 0x80, 0xFF] {
        var damaged = data
        damaged[place] = value
        #expect(try ImageDecoder().decode(damaged).pixels.count == 29 * 19 * 3)
      }
    }
  }
}
