import Foundation
import SamTensor

/// Lite's dense prompt: four channels at stride 4.
///
/// Previous mask (the logits' sigmoid, 0 without one), include clicks, exclude clicks (each the maximum over its
/// clicks of exp(−d²/denominator), d in cells from cell centres), box interior with fractional coverage.
struct DensePromptMap: Sendable {
  let gaussianDenominator: Float

  /// height × width × 4.
  func callAsFunction(
    _ prompt: FramePrompt, height: Int, width: Int, stride: Float, _ context: ComputeContext
  ) -> FeatureMap {
    let map = context.map(height: height, width: width, channels: 4)
    let clicks = (prompt.points + prompt.strokes).map { click in
      (
        columns: bell(click.x / stride, count: width), rows: bell(click.y / stride, count: height),
        channel: click.isIncluded ? 1 : 2
      )
    }
    let box = prompt.box.map {
      (
        columns: coverage($0.x0 / stride, $0.x1 / stride, count: width),
        rows: coverage($0.y0 / stride, $0.y1 / stride, count: height)
      )
    }
    context.parallel(height) { y in
      let row = map.pixel(y, 0)
      for x in 0..<width {
        let cell = row + 4 * x
        cell[0] = prompt.previous.map { 1 / (1 + exp(-$0.values[y * width + x])) } ?? 0
        cell[1] = 0
        cell[2] = 0
        cell[3] = box.map { $0.columns[x] * $0.rows[y] } ?? 0
      }
      for click in clicks where click.rows[y] > 0 {
        for x in 0..<width {
          let value = click.columns[x] * click.rows[y]
          if value > row[4 * x + click.channel] { row[4 * x + click.channel] = value }
        }
      }
    }
    return map
  }

  /// The click's bell along one axis; the two-dimensional one is their product.
  private func bell(_ centre: Float, count: Int) -> [Float] {
    (0..<count).map {
      let distance = Float($0) + 0.5 - centre
      return exp(-distance * distance / gaussianDenominator)
    }
  }

  /// How much of each cell lies between the two edges, along one axis.
  private func coverage(_ low: Float, _ high: Float, count: Int) -> [Float] {
    (0..<count).map {
      let centre = Float($0) + 0.5
      return min(max(centre - low + 0.5, 0), 1) * min(max(high - centre + 0.5, 0), 1)
    }
  }
}
