import SamTensor
import SamTestSupport
import Testing

struct FeatureMapTests {
  @Test(arguments: [0, 1, 2])
  func aBorderIsZeroAndRoundTheValues(border: Int) {
    let context = ComputeContext(threads: 1)
    // Memory that has been used: nothing about it is zero by itself.
    do {
      let used = context.pool.buffer(
        FeatureMap.count(height: 4, width: 3, channels: 5, border: border))
      for i in 0..<used.count { used.pointer[i] = .nan }
    }
    let plain = PlainMap(height: 4, width: 3, channels: 5, seed: 1)
    let map = plain.map(context, border: border)
    #expect(context.pool.allocationCount == 1)
    #expect(map.pixels == 12)
    #expect(map.pitch == (3 + 2 * border) * 5)
    #expect(map.values() == plain.values)
    for y in -border..<4 + border {
      for x in -border..<3 + border {
        for c in 0..<5 { #expect(map.pixel(y, x)[c] == plain[y, x, c]) }
      }
    }
  }

  @Test func layerNormRunsOverTheRowsOfAMap() {
    let context = ComputeContext(threads: 1)
    let (rows, channels) = (5, 21)
    let input = values(rows * channels, seed: 2)
    let (weight, bias) = (values(channels, seed: 3), values(channels, seed: 4))
    let norm = LayerNormWeights(weight: weight, bias: bias, epsilon: 1e-3)
    let buffer = FloatBuffer(input)
    norm.apply(buffer.pointer, buffer.pointer, rows: rows, context: context)
    var expected: [Float] = []
    for r in 0..<rows {
      let row = input[r * channels..<(r + 1) * channels].map(Double.init)
      let mean = row.reduce(0, +) / Double(channels)
      let variance = row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(channels)
      for c in 0..<channels {
        let value = (row[c] - mean) / (variance + 1e-3).squareRoot()
        expected.append(Float(value * Double(weight[c]) + Double(bias[c])))
      }
    }
    let deviation = Deviation(buffer.array(), expected)
    #expect(deviation.worst < 2e-6, "\(deviation)")
  }
}
