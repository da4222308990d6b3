import SamTensor
import SamTestSupport
import Testing

/// Bilinear resizing against the formula.
struct BilinearResizeTests {
  @Test(arguments: [
    ((1, 1), (3, 4)), ((2, 3), (4, 6)), ((11, 16), (22, 32)), ((7, 9), (3, 5)), ((5, 5), (5, 5)),
    ((4, 1), (9, 2)),
  ])
  func equalsTheFormula(from: (Int, Int), to: (Int, Int)) {
    let context = ComputeContext(threads: 2)
    let input = PlainMap(height: from.0, width: from.1, channels: 5, seed: 1)
    let like = context.map(height: to.0, width: to.1, channels: 2)
    let output = context.resized(input.map(context), like: like)
    #expect((output.height, output.width, output.channels) == (to.0, to.1, 5))
    var expected: [Float] = []
    for y in 0..<to.0 {
      for x in 0..<to.1 {
        for c in 0..<5 { expected.append(sample(input, y, x, c, to)) }
      }
    }
    let deviation = Deviation(output.values(), expected)
    #expect(deviation.worst < 1e-6, "\(deviation)")
  }

  @Test func theSameSizeIsTheSameMap() {
    let context = ComputeContext(threads: 1)
    let input = PlainMap(height: 6, width: 7, channels: 3, seed: 2)
    let map = input.map(context)
    #expect(context.resized(map, like: map).values() == input.values)
  }

  /// Half-pixel centres, edges repeated.
  private func sample(_ map: PlainMap, _ y: Int, _ x: Int, _ c: Int, _ size: (Int, Int)) -> Float {
    func place(_ i: Int, _ input: Int, _ output: Int) -> (Int, Int, Double) {
      let position = max(0, (Double(i) + 0.5) * Double(input) / Double(output) - 0.5)
      let low = min(Int(position), input - 1)
      return (low, min(low + 1, input - 1), position - Double(low))
    }
    let (top, bottom, v) = place(y, map.height, size.0)
    let (left, right, h) = place(x, map.width, size.1)
    func mix(_ row: Int) -> Double {
      Double(map[row, left, c]) * (1 - h) + Double(map[row, right, c]) * h
    }
    return Float(mix(top) * (1 - v) + mix(bottom) * v)
  }
}
