/// A background out of focus that does not smear the object into it.
///
/// The background is averaged over small blocks, leaving out what the object covers; the block means
/// are blurred with a Gaussian and enlarged bilinearly. A blur has no detail finer than a third of its
/// width, so nothing is lost, and the time is linear in the pixels whatever the radius.
struct BackgroundBlur: Sendable {
  private let canvas: Canvas
  /// Pixels that one sample is wide and high.
  private let block: Int
  /// Samples across and down.
  private let columns: Int
  private let rows: Int
  /// Blurred sums of paint (lanes 0...3) and of the weight that they hold (lane 4).
  private let samples: [SIMD8<Float>]

  /// Blurs what the stages paint.
  ///
  /// `radius` is the standard deviation in pixels. `hidden`, of the canvas's size, is 255 where the object hides the
  /// background.
  init(
    _ canvas: Canvas, of stages: [RowStage], hidden: [UInt8], radius: Double, loop: RowLoop
  ) {
    self.canvas = canvas
    let block = max(1, Int(radius / 3))
    self.block = block
    let columns = (canvas.width + block - 1) / block
    let rows = (canvas.height + block - 1) / block
    self.columns = columns
    self.rows = rows
    let blocks: [SIMD8<Float>] = loop.plane(
      rows: rows, length: columns, bandHeight: max(1, 64 / block)
    ) { band, first in
      first.initialize(repeating: .zero, count: band.count * columns)
      let pixelRows = band.lowerBound * block..<min(canvas.height, band.upperBound * block)
      hidden.withUnsafeBufferPointer { hidden in
        stages.compose(pixelRows, width: canvas.width) { y, row in
          let target = first + (y / block - band.lowerBound) * columns
          let covers = hidden.baseAddress.map { $0 + y * canvas.width }
          var x = 0
          for column in 0..<columns {
            var paint = Paint.zero
            var weight: Float = 0
            let end = min(canvas.width, x + block)
            while x < end {
              let seen = Float(255 - (covers?[x] ?? 0)) * (1 / 255)
              paint += row[x] * seen
              weight += seen
              x += 1
            }
            target[column] += SIMD8(lowHalf: paint, highHalf: SIMD4(weight, 0, 0, 0))
          }
        }
      }
    }
    let kernel = Self.kernel(deviation: radius / Double(block))
    samples = Self.blurred(
      Self.blurred(blocks, kernel, length: columns, step: 1, lines: rows, lineStep: columns),
      kernel, length: rows, step: columns, lines: columns, lineStep: 1)
  }

  /// Paints the blurred background in place of what is there.
  var stage: RowStage {
    RowStage {
      let lines = Scratch<SIMD8<Float>>(columns)
      return { y, row in
        samples.withUnsafeBufferPointer { samples in
          let (top, bottom, fraction) = neighbours(y, of: rows)
          for column in 0..<columns {
            let above = samples[top * columns + column]
            let below = samples[bottom * columns + column]
            lines.base[column] = above + (below - above) * fraction
          }
        }
        for x in 0..<canvas.width {
          let (left, right, fraction) = neighbours(x, of: columns)
          let value = lines.base[left] + (lines.base[right] - lines.base[left]) * fraction
          // Deep inside the object there is no background to see.
          row[x] = value[4] > 1e-6 ? value.lowHalf * (1 / value[4]) : .zero
        }
      }
    }
  }

  private func neighbours(_ position: Int, of count: Int) -> (Int, Int, Float) {
    let exact = max(0, (Float(position) + 0.5) / Float(block) - 0.5)
    let first = min(Int(exact), count - 1)
    return (first, min(first + 1, count - 1), exact - Float(first))
  }

  private static func kernel(deviation: Double) -> [Float] {
    guard deviation > 0.2 else { return [1] }
    let reach = Int((3 * deviation).rounded(.up))
    let weights = (-reach...reach).map { offset -> Float in
      let t = Float(offset) / Float(deviation)
      return gaussian(t)
    }
    let total = weights.reduce(0, +)
    return weights.map { $0 / total }
  }

  /// One direction of a separable blur; beyond the border lies nothing, and weighs nothing.
  private static func blurred(
    _ plane: [SIMD8<Float>], _ kernel: [Float], length: Int, step: Int, lines: Int, lineStep: Int
  ) -> [SIMD8<Float>] {
    let reach = kernel.count / 2
    var result = plane
    for line in 0..<lines {
      for i in 0..<length {
        var sum = SIMD8<Float>.zero
        for j in max(0, i - reach)...min(length - 1, i + reach) {
          sum += plane[line * lineStep + j * step] * kernel[j - i + reach]
        }
        result[line * lineStep + i * step] = sum
      }
    }
    return result
  }
}
