extension ComputeContext {
  /// Bilinear resize (half-pixel centres, edges repeated) of a map to the size of `other`; PyTorch's
  /// `interpolate(mode="bilinear", align_corners=False)`.
  package func resized(_ input: FeatureMap, like other: FeatureMap) -> FeatureMap {
    let output = map(height: other.height, width: other.width, channels: input.channels)
    let columns = LinearAxis(input: input.width, output: output.width)
    let rows = LinearAxis(input: input.height, output: output.height)
    let row = input.width * input.channels
    parallel(output.height, scratch: row) { y, scratch in
      kernels.interpolate(
        input.pixel(rows.first[y], 0), input.pixel(rows.second[y], 0), rows.fraction[y], scratch,
        row)
      for x in 0..<output.width {
        kernels.interpolate(
          scratch + columns.first[x] * input.channels,
          scratch + columns.second[x] * input.channels, columns.fraction[x], output.pixel(y, x),
          input.channels)
      }
    }
    return output
  }
}

/// Where each output of a bilinear resize falls on the input, along one axis.
package struct LinearAxis: Sendable {
  /// The neighbours below and above, and how far towards the one above.
  package let first: [Int]
  package let second: [Int]
  package let fraction: [Float]

  /// Half-pixel centres: output i lies at (i + 0.5) · input / output − 0.5, not below 0.
  package init(input: Int, output: Int) {
    let scale = Float(input) / Float(output)
    let positions = (0..<output).map { max(0, (Float($0) + 0.5) * scale - 0.5) }
    first = positions.map { min(Int($0), input - 1) }
    second = positions.map { min(Int($0) + 1, input - 1) }
    fraction = positions.map { $0 - Float(Int($0)) }
  }
}
