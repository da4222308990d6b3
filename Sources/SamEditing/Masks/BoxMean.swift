/// The mean over a square window, in time that does not depend on the window's size.
///
/// Running sums along rows, then along columns, in double precision: adding and taking away never
/// leaves a trace that a variance of 10⁻⁴ could feel. At the border the window is cut off and the mean
/// is over what is left of it.
package struct BoxMean: Sendable {
  package let width: Int
  package let height: Int
  /// The window is `2 · radius + 1` a side.
  package let radius: Int

  package init(width: Int, height: Int, radius: Int) {
    self.width = width
    self.height = height
    self.radius = radius
  }

  /// The mean round every element of a row-major plane of SIMD values (each lane on its own).
  ///
  /// O(width · height) time; the result and one row of sums are all it allocates.
  package func callAsFunction(_ plane: [SIMD4<Float>]) -> [SIMD4<Float>] {
    precondition(
      plane.count == width * height, "a plane of \(plane.count) is not \(width)×\(height)")
    var rows = plane
    plane.withUnsafeBufferPointer { input in
      rows.withUnsafeMutableBufferPointer { output in
        for y in 0..<height { meanAlongRow(input, output, y * width) }
      }
    }
    var result = rows
    rows.withUnsafeBufferPointer { input in
      result.withUnsafeMutableBufferPointer { output in
        meanAlongColumns(input, output)
      }
    }
    return result
  }

  private func meanAlongRow(
    _ input: UnsafeBufferPointer<SIMD4<Float>>, _ output: UnsafeMutableBufferPointer<SIMD4<Float>>,
    _ start: Int
  ) {
    var sum = SIMD4<Double>.zero
    var count = 0.0
    for x in 0..<min(radius, width) {
      sum += SIMD4<Double>(input[start + x])
      count += 1
    }
    for x in 0..<width {
      if x + radius < width {
        sum += SIMD4<Double>(input[start + x + radius])
        count += 1
      }
      if x > radius {
        sum -= SIMD4<Double>(input[start + x - radius - 1])
        count -= 1
      }
      output[start + x] = SIMD4<Float>(sum / count)
    }
  }

  private func meanAlongColumns(
    _ input: UnsafeBufferPointer<SIMD4<Float>>, _ output: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) {
    var sums = [SIMD4<Double>](repeating: .zero, count: width)
    var count = 0.0
    func add(_ y: Int) {
      for x in 0..<width { sums[x] += SIMD4<Double>(input[y * width + x]) }
      count += 1
    }
    for y in 0..<min(radius, height) { add(y) }
    for y in 0..<height {
      if y + radius < height { add(y + radius) }
      if y > radius {
        for x in 0..<width { sums[x] -= SIMD4<Double>(input[(y - radius - 1) * width + x]) }
        count -= 1
      }
      for x in 0..<width { output[y * width + x] = SIMD4<Float>(sums[x] / count) }
    }
  }
}
