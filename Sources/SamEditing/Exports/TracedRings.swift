import SamImageIO

/// Corners between pixels.
typealias Corner = SIMD2<Int32>

/// The lines between the inside and the outside of a mask, followed along the sides of the pixels.
///
/// The walk keeps the inside on its right hand, and at a corner where four pixels meet crosswise it
/// joins the two that are inside. Every side is walked once: linear in the pixels.
struct TracedRings {
  struct Ring {
    /// Every corner at which the line turns.
    let points: [Corner]
    let isHole: Bool
    /// The piece that it bounds.
    let piece: Int
  }

  private(set) var rings: [Ring] = []
  let pieceCount: Int

  init(_ mask: PixelImage) {
    let width = mask.width
    let height = mask.height
    let components = MaskComponents(
      mask.pixels, width: width, height: height, connectivity: .eight)
    pieceCount = components.count
    // Upper sides that have been walked; every ring has some.
    var walked = [UInt8](repeating: 0, count: width * height)
    mask.pixels.withUnsafeBufferPointer { pixels in
      walked.withUnsafeMutableBufferPointer { walked in
        guard let base = pixels.baseAddress, let marks = walked.baseAddress else { return }
        var walker = Walker(pixels: base, walked: marks, width: width, height: height)
        for run in components.runs {
          let y = Int(run.row)
          for x in run.columns {
            let index = y * width + x
            guard marks[index] == 0, y == 0 || base[index - width] < 128 else { continue }
            let (points, isHole) = walker.walk(fromUpperSideOf: x, y)
            rings.append(Ring(points: points, isHole: isHole, piece: Int(run.piece)))
          }
        }
      }
    }
  }

  private struct Walker {
    let pixels: UnsafePointer<UInt8>
    let walked: UnsafeMutablePointer<UInt8>
    let width: Int
    let height: Int

    /// Steps to the east, south, west and north.
    private static let steps: [(x: Int, y: Int)] = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    /// From a corner, the pixels ahead on the left and on the right, for each direction.
    private static let left: [(x: Int, y: Int)] = [(0, -1), (0, 0), (-1, 0), (-1, -1)]
    private static let right: [(x: Int, y: Int)] = [(0, 0), (-1, 0), (-1, -1), (0, -1)]

    private func isInside(_ x: Int, _ y: Int) -> Bool {
      x >= 0 && y >= 0 && x < width && y < height && pixels[y * width + x] >= 128
    }

    mutating func walk(fromUpperSideOf startX: Int, _ startY: Int) -> ([Corner], isHole: Bool) {
      var points: [Corner] = []
      var x = startX
      var y = startY
      var direction = 0
      var doubleArea = 0
      repeat {
        if direction == 0 { walked[y * width + x] = 1 }
        let step = Self.steps[direction]
        doubleArea += x * step.y - y * step.x
        x += step.x
        y += step.y
        let left = Self.left[direction]
        let right = Self.right[direction]
        let turn: Int
        if isInside(x + left.x, y + left.y) {
          turn = 3
        } else if isInside(x + right.x, y + right.y) {
          turn = 0
        } else {
          turn = 1
        }
        if turn != 0 {
          points.append(Corner(Int32(truncatingIfNeeded: x), Int32(truncatingIfNeeded: y)))
          direction = (direction + turn) & 3
        }
      } while x != startX || y != startY || direction != 0
      return (points, doubleArea < 0)
    }
  }
}
