/// What is known of each pixel before colours are looked at: object, surroundings, or too near the edge.
///
/// One byte a pixel: ``surroundings``, ``object``, or 1 more than the distance to the nearest pixel of
/// the edge, in whole pixels.
struct EdgeBand: Sendable {
  static let surroundings: UInt8 = 0
  static let object: UInt8 = 255

  let width: Int
  let height: Int
  let classes: [UInt8]
  /// The smallest rectangle round the pixels near the edge; empty where the mask has no edge.
  let columns: Range<Int>
  let rows: Range<Int>

  /// Pixels within `reach` of an edge pixel are left open.
  init(alpha: [UInt8], width: Int, height: Int, reach: Int, loop: RowLoop) {
    precondition((0...250).contains(reach), "a band of \(reach) pixels is out of range")
    self.width = width
    self.height = height
    let edges = Self.edges(alpha, width: width, height: height, loop: loop)
    let map = DistanceMap(
      mask: edges, width: width, height: height, to: .object, limit: reach, loop: loop)
    let classes: [UInt8] = loop.plane(rows: height, length: width) { rows, first in
      let scratch = DistanceMap.RowScratch(map)
      let squares = Scratch<Int32>(width)
      alpha.withUnsafeBufferPointer { alpha in
        for (index, y) in rows.enumerated() {
          map.squares(ofRow: y, into: squares.base, scratch)
          let row = first + index * width
          for x in 0..<width {
            let square = squares.base[x]
            if square > Int32(reach * reach) {
              row[x] = alpha[y * width + x] >= 128 ? Self.object : Self.surroundings
            } else {
              row[x] = 1 + UInt8(truncatingIfNeeded: Int32(Float(square).squareRoot()))
            }
          }
        }
      }
    }
    self.classes = classes
    (columns, rows) = Self.extent(classes, width: width, height: height)
  }

  /// 255 at pixels that are partly covered or have a neighbour on the other side.
  private static func edges(
    _ alpha: [UInt8], width: Int, height: Int, loop: RowLoop
  ) -> [UInt8] {
    loop.plane(rows: height, length: width) { rows, first in
      alpha.withUnsafeBufferPointer { alpha in
        guard let base = alpha.baseAddress else { return }
        for (index, y) in rows.enumerated() {
          let middle = base + y * width
          let above = base + max(y - 1, 0) * width
          let below = base + min(y + 1, height - 1) * width
          let row = first + index * width
          func edge(_ x: Int, _ left: Int, _ right: Int) -> UInt8 {
            let value = middle[x]
            let differs =
              (value ^ above[x]) | (value ^ below[x]) | (value ^ middle[left])
              | (value ^ middle[right])
            return differs >= 128 || value &+ 1 > 1 ? 255 : 0
          }
          row[0] = edge(0, 0, min(1, width - 1))
          for x in 1..<max(1, width - 1) { row[x] = edge(x, x - 1, x + 1) }
          if width > 1 { row[width - 1] = edge(width - 1, width - 2, width - 1) }
        }
      }
    }
  }

  private static func extent(
    _ classes: [UInt8], width: Int, height: Int
  ) -> (columns: Range<Int>, rows: Range<Int>) {
    var left = width
    var right = 0
    var top = height
    var bottom = 0
    classes.withUnsafeBufferPointer { classes in
      for y in 0..<height {
        let row = UnsafeBufferPointer(rebasing: classes[y * width..<(y + 1) * width])
        // Known pixels are 0 and 255.
        guard let first = row.firstIndex(where: { $0 &+ 1 > 1 }),
          let last = row.lastIndex(where: { $0 &+ 1 > 1 })
        else { continue }
        left = min(left, first)
        right = max(right, last + 1)
        top = min(top, y)
        bottom = y + 1
      }
    }
    return bottom > top ? (left..<right, top..<bottom) : (0..<0, 0..<0)
  }
}
