import SamImageIO

/// A picture scaled so that it just covers a rectangle, its middle shown.
///
/// Every pixel is a mean, weighted by a triangle, of what it stands for where the picture shrinks, and
/// bilinear where it grows. Rows are computed as they are asked for; linear in the pixels of both.
struct CoverScaling: Sendable {
  private let image: PixelImage
  private let columns: AxisTaps
  private let rows: AxisTaps

  init(_ image: PixelImage, width: Int, height: Int) {
    self.image = image
    let scale = min(Double(image.width) / Double(width), Double(image.height) / Double(height))
    columns = AxisTaps(count: width, scale: scale, length: image.width)
    rows = AxisTaps(count: height, scale: scale, length: image.height)
  }

  /// Paints the picture in place of what is there.
  var stage: RowStage {
    RowStage {
      let sums = Scratch<Paint>(image.width)
      return { y, row in
        sums.base.initialize(repeating: .zero, count: image.width)
        image.pixels.withUnsafeBufferPointer { pixels in
          rows.forEachTap(of: y) { source, weight in
            let start = source * image.width
            for x in 0..<image.width {
              sums.base[x] += image.paint(pixels, start + x) * weight
            }
          }
        }
        for x in 0..<columns.count {
          var sum = Paint.zero
          columns.forEachTap(of: x) { source, weight in sum += sums.base[source] * weight }
          row[x] = sum
        }
      }
    }
  }
}

/// Which source pixels, and how much of each, make each pixel of a scaled side.
private struct AxisTaps: Sendable {
  let count: Int
  private var indices: [Int32] = []
  private var weights: [Float] = []
  private var starts: [Int] = [0]

  /// A triangle as wide as two target pixels, at least one source pixel to each side; the middle of
  /// the source lies on the middle of the target, and its last pixels go on beyond its ends.
  init(count: Int, scale: Double, length: Int) {
    self.count = count
    let offset = (Double(length) - Double(count) * scale) / 2
    let reach = max(1, scale)
    for target in 0..<count {
      let centre = offset + (Double(target) + 0.5) * scale - 0.5
      let sources = Int((centre - reach).rounded(.up))...Int((centre + reach).rounded(.down))
      let triangle = sources.map { max(0, 1 - abs(Double($0) - centre) / reach) }
      let total = triangle.reduce(0, +)
      for (source, weight) in zip(sources, triangle) where weight > 0 {
        indices.append(Int32(truncatingIfNeeded: min(max(source, 0), length - 1)))
        weights.append(Float(weight / total))
      }
      starts.append(indices.count)
    }
  }

  @inline(__always)
  func forEachTap(of target: Int, _ body: (_ source: Int, _ weight: Float) -> Void) {
    indices.withUnsafeBufferPointer { indices in
      weights.withUnsafeBufferPointer { weights in
        for tap in starts[target]..<starts[target + 1] { body(Int(indices[tap]), weights[tap]) }
      }
    }
  }
}
