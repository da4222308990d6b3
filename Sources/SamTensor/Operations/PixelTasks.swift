/// How the pixels of a map, or of its upper left part, are cut into tasks of nearly equal size.
///
/// Matrix kernels take whole tiles of pixels, and a task reads a weight matrix from end to end: so tasks begin at whole
/// tiles, are large enough to pay for that, and their number is a multiple of the threads' where there are enough
/// tiles. The results are the same for any cut.
package struct PixelTasks: Sendable {
  /// How many tasks there are.
  package let count: Int
  private let extent: MapExtent
  private let tiles: Int

  /// Rows of the widest matrix kernel's tile.
  private static let tile = 8

  /// Cuts `extent` into tasks of at most `most` pixels, which with their results should fit the second-level cache.
  package init(_ extent: MapExtent, most: Int = 128, threads: Int) {
    self.extent = extent
    tiles = (extent.height * extent.width + Self.tile - 1) / Self.tile
    let mostTiles = most / Self.tile
    let least = (tiles + mostTiles - 1) / mostTiles
    count = min(tiles, (least + threads - 1) / threads * threads)
  }

  /// Pixels that no task has more of.
  package var longest: Int { count == 0 ? 0 : (tiles + count - 1) / count * Self.tile }

  /// The pixels of one task, counted row after row through the extent.
  package func pixels(_ task: Int) -> Range<Int> {
    let last = extent.height * extent.width
    return task * tiles / count * Self.tile..<min(last, (task + 1) * tiles / count * Self.tile)
  }

  /// Calls `body` for each piece of a row that belongs to the task.
  ///
  /// - Parameters:
  ///   - task: below ``count``.
  ///   - body: takes the row, its columns, and where among the task's pixels the piece begins.
  package func forEachPiece(
    _ task: Int, _ body: (_ y: Int, _ columns: Range<Int>, _ offset: Int) -> Void
  ) {
    let pixels = pixels(task)
    var pixel = pixels.lowerBound
    while pixel < pixels.upperBound {
      let (y, x) = pixel.quotientAndRemainder(dividingBy: extent.width)
      let count = min(extent.width - x, pixels.upperBound - pixel)
      body(y, x..<x + count, pixel - pixels.lowerBound)
      pixel += count
    }
  }
}
