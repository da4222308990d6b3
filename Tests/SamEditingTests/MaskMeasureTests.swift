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
