import SamEditing
import SamImageIO
import Testing

struct HiddenColoursTests {
  @Test func coloursGoOnlyWhereNothingShows() {
    let picture = PixelImage(
      width: 3, height: 1, channels: 4, pixels: [1, 2, 3, 0, 4, 5, 6, 1, 7, 8, 9, 255])
    #expect(
      picture.withoutHiddenColours().pixels == [0, 0, 0, 0, 4, 5, 6, 1, 7, 8, 9, 255])
  }

  @Test func aPictureWithoutAlphaStaysAsItIs() {
    let picture = PixelImage(width: 1, height: 1, channels: 3, pixels: [1, 2, 3])
    #expect(picture.withoutHiddenColours() == picture)
  }
}
