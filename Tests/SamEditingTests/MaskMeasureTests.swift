import SamEditing
import SamImageIO
import Testing

struct MaskMeasureTests {
  @Test func countsFromTheThresholdOn() {
    let mask = PixelImage(
      width: 4, height: 3, channels: 1, pixels: [0, 127, 0, 0, 0, 128, 255, 0, 0, 0, 200, 0])
    let measure = MaskMeasure(mask)
    #expect(measure.count == 3)
    #expect(measure.columns == 1..<3)
    #expect(measure.rows == 1..<3)
  }

  @Test func anEmptyMaskHasNoExtent() {
    let measure = MaskMeasure(PixelImage(width: 3, height: 2, channels: 1, repeating: 127))
    #expect(measure.count == 0)
    #expect(measure.columns.isEmpty && measure.rows.isEmpty)
  }
}

struct CutOutTests {
  let picture = PixelImage(
    width: 2, height: 2, channels: 3, pixels: [10, 20, 30, 40, 50, 60, 70, 80, 90, 1, 2, 3])

  @Test func coloursStayAndAlphaIsTheMask() {
    let mask = PixelImage(width: 2, height: 2, channels: 1, pixels: [0, 64, 128, 255])
    let cut = picture.cutOut(by: [AlphaLayer(mask: mask, pixelWidth: 1, pixelHeight: 1)])
    #expect(cut.channels == 4)
    #expect(
      cut.pixels == [10, 20, 30, 0, 40, 50, 60, 64, 70, 80, 90, 128, 1, 2, 3, 255])
  }

  @Test func severalMasksGiveTheLargestAlpha() {
    let first = PixelImage(width: 2, height: 2, channels: 1, pixels: [0, 64, 128, 255])
    let second = PixelImage(width: 2, height: 2, channels: 1, pixels: [9, 9, 200, 9])
    let cut = picture.cutOut(by: [
      AlphaLayer(mask: first, pixelWidth: 1, pixelHeight: 1),
      AlphaLayer(mask: second, pixelWidth: 1, pixelHeight: 1),
    ])
    #expect([3, 7, 11, 15].map { cut.pixels[$0] } == [9, 64, 200, 255])
  }

  @Test func aSmallMaskIsEnlargedBetweenPixelCentres() {
    let wide = PixelImage(width: 4, height: 1, channels: 1, pixels: [7, 7, 7, 7])
    let mask = PixelImage(width: 2, height: 1, channels: 1, pixels: [0, 200])
    let cut = wide.cutOut(by: [AlphaLayer(mask: mask, pixelWidth: 2, pixelHeight: 1)])
    #expect([3, 7, 11, 15].map { cut.pixels[$0] } == [0, 50, 150, 200])
  }

  @Test func alphaThatWasThereStaysWhereItIsSmaller() {
    let picture = PixelImage(width: 2, height: 1, channels: 4, pixels: [1, 2, 3, 50, 4, 5, 6, 255])
    let mask = PixelImage(width: 2, height: 1, channels: 1, pixels: [200, 100])
    let cut = picture.cutOut(by: [AlphaLayer(mask: mask, pixelWidth: 1, pixelHeight: 1)])
    #expect([3, 7].map { cut.pixels[$0] } == [50, 100])
  }
}
