import SamEditing
import Testing

struct BoxMeanTests {
  @Test(arguments: [(1, 1, 1), (7, 5, 1), (7, 5, 3), (5, 7, 9), (31, 17, 4)])
  func equalsTheMeanOverTheWindowCutAtTheBorder(width: Int, height: Int, radius: Int) {
    var plane: [SIMD4<Float>] = []
    for index in 0..<width * height {
      let (a, b, c) = (Float(index % 13), Float((index * 7) % 11), Float(index % 5))
      plane.append(SIMD4(a, b, -c, Float(index) / 100))
    }
    let actual = BoxMean(width: width, height: height, radius: radius)(plane)
    for y in 0..<height {
      for x in 0..<width {
        var sum = SIMD4<Float>.zero
        var count: Float = 0
        for v in max(0, y - radius)...min(height - 1, y + radius) {
          for u in max(0, x - radius)...min(width - 1, x + radius) {
            sum += plane[v * width + u]
            count += 1
          }
        }
        let difference = actual[y * width + x] - sum / count
        let error = max(
          abs(difference.x), abs(difference.y), abs(difference.z), abs(difference.w))
        #expect(error < 1e-5, "at (\(x), \(y))")
      }
    }
  }

  @Test func longRunningSumsLeaveNoTrace() {
    // A bright start of the row must not be felt at its far end.
    var plane = [SIMD4<Float>](repeating: SIMD4(repeating: 1e-3), count: 4096)
    for x in 0..<32 { plane[x] = SIMD4(repeating: 1e4) }
    let mean = BoxMean(width: 4096, height: 1, radius: 2)(plane)
    #expect(abs(mean[4000].x - 1e-3) < 1e-8)
  }
}
