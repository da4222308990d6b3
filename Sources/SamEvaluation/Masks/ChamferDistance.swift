/// Distances to the border of a mask, and its innermost point.
///
/// Distances are those of Borgefors' 5×5 chamfer: steps of 1 along an axis, 1.4 along a diagonal
/// and 2.1969 along a knight's move, added up in float32. They are within 2 % of the Euclidean
/// ones, and are what OpenCV computes with `DIST_L2` and mask size 5, bit for bit, so that clicks
/// fall on the same pixels.
package enum ChamferDistance {
  private static let straight: Float = 1
  private static let diagonal: Float = 1.4
  private static let knight: Float = 2.1969

  /// A pixel of a mask and its distance to the nearest pixel outside.
  package struct Innermost: Sendable, Equatable {
    package let x: Int
    package let y: Int
    /// In pixels; 0 for an empty mask.
    package let distance: Float
  }

  /// The pixel that lies farthest from all that is outside, the picture's edge counting as outside.
  ///
  /// Of several, the first by rows. An empty mask gives the first pixel and distance 0. Cost: two
  /// passes over the smallest rectangle that holds the mask.
  package static func innermost(of mask: BinaryMask) -> Innermost {
    guard let bounds = mask.bounds else { return Innermost(x: 0, y: 0, distance: 0) }
    let field = field(of: mask, in: bounds)
    var best = Innermost(x: 0, y: 0, distance: 0)
    for y in 0..<bounds.rows.count {
      for x in 0..<bounds.columns.count {
        let distance = field.distance(x, y)
        guard distance > best.distance else { continue }
        best = Innermost(
          x: bounds.columns.lowerBound + x, y: bounds.rows.lowerBound + y, distance: distance)
      }
    }
    return best
  }

  /// The distance of every pixel, row-major.
  package static func distances(in mask: BinaryMask) -> [Float] {
    let whole = PixelBounds(columns: 0..<mask.width, rows: 0..<mask.height)
    let field = field(of: mask, in: whole)
    return (0..<mask.height).flatMap { y in (0..<mask.width).map { field.distance($0, y) } }
  }

  /// Distances inside a rectangle with a frame of two pixels round it: the inner ring is outside
  /// the mask, the outer one is out of reach, so that no step needs a check.
  ///
  /// A step onto the inner ring is never longer than the way on to what lies beyond it; what lies
  /// there need not be known.
  private struct Field {
    static let frame = 2
    let rowLength: Int
    var values: [Float]

    func distance(_ x: Int, _ y: Int) -> Float {
      values[(y + Self.frame) * rowLength + x + Self.frame]
    }
  }

  private static func field(of mask: BinaryMask, in bounds: PixelBounds) -> Field {
    let (width, height) = (bounds.columns.count, bounds.rows.count)
    let rowLength = width + 2 * Field.frame
    let count = rowLength * (height + 2 * Field.frame)
    let values = [Float](unsafeUninitializedCapacity: count) { values, used in
      values.initialize(repeating: .greatestFiniteMagnitude)
      for y in -1...height {
        for x in -1...width {
          let isInside =
            y >= 0 && y < height && x >= 0 && x < width
            && mask.bytes[
              (bounds.rows.lowerBound + y) * mask.width + bounds.columns.lowerBound + x] != 0
          if !isInside { values[(y + Field.frame) * rowLength + x + Field.frame] = 0 }
        }
      }
      if let base = values.baseAddress {
        // Away from the upper left corner, then back; each pixel is reached from those already
        // done.
        let first = base + Field.frame * rowLength + Field.frame
        for y in 0..<height {
          sweep(first + y * rowLength, count: width, step: 1, row: rowLength)
        }
        for y in (0..<height).reversed() {
          sweep(first + y * rowLength + width - 1, count: width, step: -1, row: -rowLength)
        }
      }
      used = count
    }
    return Field(rowLength: rowLength, values: values)
  }

  /// One row: `step` leads to the next pixel, `row` to the next row.
  private static func sweep(
    _ start: UnsafeMutablePointer<Float>, count: Int, step: Int, row: Int
  ) {
    var pixel = start
    for _ in 0..<count {
      let above = pixel - row
      let farther = above - row
      var nearest = pixel.pointee
      if nearest > 0 {
        nearest = min(nearest, farther[-1] + knight, farther[1] + knight)
        nearest = min(nearest, above[-2] + knight, above[2] + knight)
        nearest = min(nearest, above[-1] + diagonal, above[1] + diagonal, above[0] + straight)
        nearest = min(nearest, pixel[-step] + straight)
        pixel.pointee = nearest
      }
      pixel += step
    }
  }
}
