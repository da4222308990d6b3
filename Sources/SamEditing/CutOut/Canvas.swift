/// The rectangle of a picture that a result shows; it may reach beyond the picture.
struct Canvas: Sendable, Equatable {
  let width: Int
  let height: Int
  /// Where the canvas's upper left corner lies in the picture.
  let left: Int
  let top: Int

  /// Canvas columns that lie in a picture of that width.
  func columns(ofWidth pictureWidth: Int) -> Range<Int> {
    let first = min(width, max(0, -left))
    return first..<max(first, min(width, pictureWidth - left))
  }

  /// Whether a row of the canvas lies in a picture of that height.
  func shows(_ row: Int, ofHeight pictureHeight: Int) -> Bool {
    (0..<pictureHeight).contains(row + top)
  }

  /// A gray plane of the picture's size as the canvas shows it; 0 beyond the picture.
  func cropped(_ plane: [UInt8], width pictureWidth: Int, height pictureHeight: Int) -> [UInt8] {
    if left == 0, top == 0, width == pictureWidth, height == pictureHeight { return plane }
    let columns = columns(ofWidth: pictureWidth)
    var result = [UInt8](repeating: 0, count: width * height)
    for y in 0..<height where shows(y, ofHeight: pictureHeight) && !columns.isEmpty {
      let source = (y + top) * pictureWidth + left
      let target = y * width
      result.replaceSubrange(
        target + columns.lowerBound..<target + columns.upperBound,
        with: plane[source + columns.lowerBound..<source + columns.upperBound])
    }
    return result
  }
}
