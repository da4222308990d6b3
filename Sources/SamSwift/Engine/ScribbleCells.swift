import SamImageIO
import SamModel

/// The strokes of a scribble on the decoder's grid: which cells they touch, in connected pieces.
package struct ScribbleCells {
  /// A cell of the decoder's grid.
  package struct Cell: Hashable, Sendable {
    package var x: Int
    package var y: Int

    package init(x: Int, y: Int) {
      self.x = x
      self.y = y
    }
  }

  /// Each stroke, or group of crossing strokes, as its cells from top to bottom.
  package let strokes: [[Cell]]

  /// Reads white (128 and above, by brightness times alpha) from a picture that is stretched over the
  /// segmented one; the area that a cell covers counts as touched where any of its pixels is white.
  ///
  /// - Parameters:
  ///   - scribble: Gray, RGB or RGBA of any size.
  ///   - width: Columns of the decoder's grid that show the picture.
  ///   - height: Rows likewise.
  ///   - isAllowed: Whether a cell may count.
  package init(
    _ scribble: PixelImage, width: Int, height: Int, isAllowed: (Cell) -> Bool = { _ in true }
  ) {
    var touched = [Bool](repeating: false, count: width * height)
    scribble.forEachWhitePixel { x, y in
      // A pixel of a small scribble covers several cells, a cell of a large one several pixels.
      let columns = Self.cells(x, of: scribble.width, over: width)
      for row in Self.cells(y, of: scribble.height, over: height) {
        for column in columns { touched[row * width + column] = true }
      }
    }
    for y in 0..<height {
      for x in 0..<width where touched[y * width + x] && !isAllowed(Cell(x: x, y: y)) {
        touched[y * width + x] = false
      }
    }
    strokes = Self.connected(&touched, width: width, height: height)
  }

  /// Cells that the pixel at `index` of `count` pixels lies over.
  private static func cells(_ index: Int, of count: Int, over length: Int) -> ClosedRange<Int> {
    let first = index * length / count
    let last = ((index + 1) * length + count - 1) / count - 1
    return first...max(first, min(last, count >= length ? first : length - 1))
  }

  /// Connected pieces (eight neighbours) among the given cells.
  static func connected(_ cells: some Sequence<Cell>, width: Int, height: Int) -> [[Cell]] {
    var touched = [Bool](repeating: false, count: width * height)
    for cell in cells { touched[cell.y * width + cell.x] = true }
    return connected(&touched, width: width, height: height)
  }

  private static func connected(_ touched: inout [Bool], width: Int, height: Int) -> [[Cell]] {
    var pieces: [[Cell]] = []
    for start in touched.indices where touched[start] {
      var piece: [Cell] = []
      var pending = [start]
      touched[start] = false
      while let index = pending.popLast() {
        let (y, x) = index.quotientAndRemainder(dividingBy: width)
        piece.append(Cell(x: x, y: y))
        for neighbourY in max(0, y - 1)...min(height - 1, y + 1) {
          for neighbourX in max(0, x - 1)...min(width - 1, x + 1) {
            let neighbour = neighbourY * width + neighbourX
            if touched[neighbour] {
              touched[neighbour] = false
              pending.append(neighbour)
            }
          }
        }
      }
      pieces.append(piece.sorted { ($0.y, $0.x) < ($1.y, $1.x) })
    }
    return pieces
  }

  /// Up to `count` cells of a piece: the innermost first, each next one as far from the others as can be.
  ///
  /// Cells on the piece's rim are left out where it is thick enough to have an inside: a click on the
  /// rim of a wide stroke may lie beside the object.
  package static func spread(_ piece: [Cell], count: Int, minimumDistance: Int) -> [Cell] {
    let inside = innermost(piece)
    guard let first = inside.first else { return [] }
    var chosen = [first]
    var distances = inside.map { squaredDistance($0, first) }
    while chosen.count < count {
      guard let farthest = distances.indices.max(by: { distances[$0] < distances[$1] }),
        distances[farthest] >= minimumDistance * minimumDistance
      else { break }
      let next = inside[farthest]
      chosen.append(next)
      for i in inside.indices {
        distances[i] = min(distances[i], squaredDistance(inside[i], next))
      }
    }
    return chosen
  }

  /// The ridge of a piece, deepest cells first: cells that lie no less deep than any neighbour.
  ///
  /// Depth is the chessboard distance to the nearest cell outside, by two sweeps over the bounding box.
  private static func innermost(_ piece: [Cell]) -> [Cell] {
    let left = (piece.map(\.x).min() ?? 0) - 1
    let top = (piece.map(\.y).min() ?? 0) - 1
    let width = (piece.map(\.x).max() ?? 0) - left + 2
    let height = (piece.map(\.y).max() ?? 0) - top + 2
    func index(_ cell: Cell) -> Int { (cell.y - top) * width + cell.x - left }
    var depth = [Int](repeating: 0, count: width * height)
    for cell in piece { depth[index(cell)] = Int.max }
    let before = [-width - 1, -width, -width + 1, -1]
    for i in depth.indices where depth[i] > 0 {
      depth[i] = before.reduce(depth[i]) { min($0, depth[i + $1] + 1) }
    }
    for i in depth.indices.reversed() where depth[i] > 0 {
      depth[i] = before.reduce(depth[i]) { min($0, depth[i - $1] + 1) }
    }
    let around = before + before.map(-)
    return
      piece
      .filter { cell in
        let i = index(cell)
        return around.allSatisfy { depth[i + $0] <= depth[i] }
      }
      .sorted { a, b in
        let depths = (depth[index(a)], depth[index(b)])
        return depths.0 != depths.1 ? depths.0 > depths.1 : (a.y, a.x) < (b.y, b.x)
      }
  }

  private static func squaredDistance(_ a: Cell, _ b: Cell) -> Int {
    (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)
  }
}

extension PixelImage {
  /// Calls `body` for every pixel whose brightness times alpha is at least half.
  fileprivate func forEachWhitePixel(_ body: (_ x: Int, _ y: Int) -> Void) {
    pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<height {
        for x in 0..<width {
          let start = (y * width + x) * channels
          var brightness = Int(pixels[start])
          if hasColor {
            brightness = max(brightness, Int(pixels[start + 1]), Int(pixels[start + 2]))
          }
          if hasAlpha {
            brightness = brightness * Int(pixels[start + channels - 1]) / 255
          }
          if brightness >= 128 { body(x, y) }
        }
      }
    }
  }
}
