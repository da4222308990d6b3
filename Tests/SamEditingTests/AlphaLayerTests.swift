import SamEditing
import SamImageIO
import Testing

struct AlphaLayerTests {
  private let first = PixelImage(width: 2, height: 2, channels: 1, pixels: [0, 64, 128, 255])

  @Test func oneMaskStaysWhatItIs() throws {
    #expect(try AlphaLayer.union([AlphaLayer(mask: first)], width: 2, height: 2) == first)
  }

  @Test func severalMasksGiveTheLargestValue() throws {
    let second = PixelImage(width: 2, height: 2, channels: 1, pixels: [9, 9, 200, 9])
    let union = try AlphaLayer.union(
      [AlphaLayer(mask: first), AlphaLayer(mask: second)], width: 2, height: 2)
    #expect(union.pixels == [9, 64, 200, 255])
  }

  @Test func noMaskIsEmpty() throws {
    #expect(try AlphaLayer.union([], width: 2, height: 1).pixels == [0, 0])
  }

  @Test func aSmallMaskIsEnlargedBetweenPixelCentres() throws {
    let mask = PixelImage(width: 2, height: 1, channels: 1, pixels: [0, 200])
    let layer = AlphaLayer(mask: mask, pixelWidth: 2, pixelHeight: 1)
    #expect(try AlphaLayer.union([layer], width: 4, height: 1).pixels == [0, 50, 150, 200])
  }

  @Test func aMaskOfAnotherSizeIsAnError() {
    #expect(
      throws: EditingError.sizeMismatch(
        what: "a mask for a picture", wantedWidth: 3, wantedHeight: 2, actualWidth: 2,
        actualHeight: 2)
    ) {
      try AlphaLayer.union([AlphaLayer(mask: first)], width: 3, height: 2)
    }
  }

  @Test func aMaskInColourIsAnError() {
    let mask = PixelImage(width: 2, height: 2, channels: 3, repeating: 0)
    #expect(throws: EditingError.notGray(what: "a mask", channels: 3)) {
      try AlphaLayer.union([AlphaLayer(mask: mask)], width: 2, height: 2)
    }
  }
}
