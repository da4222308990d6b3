import SamEditing
import SamImageIO
import Testing

struct SharpMaskTests {
  private func sharpened(_ width: Int, _ pixels: [UInt8]) -> [UInt8] {
    PixelImage(width: width, height: pixels.count / width, channels: 1, pixels: pixels)
      .sharpened().pixels
  }

  @Test func decidesWhereTheNetworkIsUnsure() {
    #expect(sharpened(4, [100, 100, 100, 100]) == [0, 0, 0, 0])
    #expect(sharpened(4, [150, 150, 150, 150]) == [255, 255, 255, 255])
  }

  @Test func aGentleSlopeBecomesOneStep() {
    // The line of one half (127.5) runs halfway between the middle two: each lies on its own side.
    #expect(sharpened(6, [112, 118, 124, 131, 137, 143]) == [0, 0, 0, 255, 255, 255])
  }

  @Test func aLineThroughAPixelLeavesItsShare() {
    // Steepness 20 a pixel, and the line a quarter of a pixel away: three quarters are inside.
    let middle = sharpened(3, [112, 132, 152])[1]
    #expect(middle == 185)
  }

  @Test func insideAndOutsideStayWhatTheyAre() {
    var state: UInt32 = 7
    let pixels = (0..<(61 * 43)).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    let sharp = sharpened(61, pixels)
    #expect(zip(pixels, sharp).allSatisfy { ($0 >= 128) == ($1 >= 128) })
  }

  @Test(arguments: [(1, 1), (1, 7), (7, 1)]) func takesAnyShape(_ width: Int, _ height: Int) {
    let pixels = (0..<(width * height)).map { UInt8($0 * 40) }
    #expect(
      sharpened(width, pixels).map { $0 >= 128 } == pixels.map { $0 >= 128 })
  }
}
