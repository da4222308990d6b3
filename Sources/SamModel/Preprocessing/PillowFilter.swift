/// Pillow's triangle filter in one direction.
///
/// For every output position: the input positions that it reads and their weights in fixed point.
struct PillowFilter: Sendable {
  /// 32 bits less 8 for the pixel and 2 for overshoot, as Pillow's PRECISION_BITS.
  static let fractionBits: Int32 = 22
  /// What a sum begins with, so that dropping the fraction rounds.
  static let half: Int32 = 1 << (fractionBits - 1)

  let starts: [Int]
  let counts: [Int]
  /// Room for this many weights at every position.
  let longestWindow: Int
  /// Output size × `longestWindow`.
  let weights: [Int32]

  init(inputSize: Int, outputSize: Int) {
    let scale = Double(inputSize) / Double(outputSize)
    let support = max(scale, 1)
    var starts: [Int] = []
    var counts: [Int] = []
    starts.reserveCapacity(outputSize)
    counts.reserveCapacity(outputSize)
    // The order of operations is Pillow's: another would move a weight by one unit now and then.
    for position in 0..<outputSize {
      let center = (Double(position) + 0.5) * scale
      let start = max(0, Int(center - support + 0.5))
      let end = min(inputSize, Int(center + support + 0.5))
      starts.append(start)
      counts.append(end - start)
    }
    let longest = counts.max() ?? 1
    var weights = [Int32](repeating: 0, count: outputSize * longest)
    var window = [Double](repeating: 0, count: longest)
    let inverseSupport = 1 / support
    for position in 0..<outputSize {
      let center = (Double(position) + 0.5) * scale
      var total = 0.0
      for tap in 0..<counts[position] {
        let distance = abs((Double(tap + starts[position]) - center + 0.5) * inverseSupport)
        let weight = distance < 1 ? 1 - distance : 0
        window[tap] = weight
        total += weight
      }
      for tap in 0..<counts[position] {
        let weight = total != 0 ? window[tap] / total : window[tap]
        weights[position * longest + tap] = Int32(0.5 + weight * Double(1 << Self.fractionBits))
      }
    }
    self.starts = starts
    self.counts = counts
    longestWindow = longest
    self.weights = weights
  }

  /// A finished sum as a pixel; weights are not negative, so only the upper end needs a clamp.
  @inline(__always)
  static func pixel(_ sum: Int32) -> UInt8 {
    // In 16 bits, where every vector unit has a minimum.
    UInt8(truncatingIfNeeded: min(Int16(truncatingIfNeeded: sum &>> fractionBits), 255))
  }

  /// Turns finished sums into pixels.
  static func finish(
    _ sums: UnsafePointer<Int32>, to target: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    for i in 0..<count {
      target[i] = pixel(sums[i])
    }
  }

  /// Resizes a line of one channel.
  func resizeGray(
    _ line: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, width: Int
  ) {
    withTables { starts, counts, weights in
      for x in 0..<width {
        let window = weights + x * longestWindow
        let pixels = line + starts[x]
        var sum = Self.half
        for tap in 0..<counts[x] {
          sum &+= Int32(truncatingIfNeeded: pixels[tap]) &* window[tap]
        }
        target[x] = Self.pixel(sum)
      }
    }
  }

  /// Resizes the first three channels of a line whose pixels are `stride` bytes apart.
  func resizeColor(
    _ line: UnsafePointer<UInt8>, stride: Int, to target: UnsafeMutablePointer<UInt8>, width: Int
  ) {
    withTables { starts, counts, weights in
      for x in 0..<width {
        let window = weights + x * longestWindow
        var pixel = line + starts[x] * stride
        var red = Self.half
        var green = Self.half
        var blue = Self.half
        for tap in 0..<counts[x] {
          let weight = window[tap]
          red &+= Int32(truncatingIfNeeded: pixel[0]) &* weight
          green &+= Int32(truncatingIfNeeded: pixel[1]) &* weight
          blue &+= Int32(truncatingIfNeeded: pixel[2]) &* weight
          pixel += stride
        }
        target[x * 3] = Self.pixel(red)
        target[x * 3 + 1] = Self.pixel(green)
        target[x * 3 + 2] = Self.pixel(blue)
      }
    }
  }

  private func withTables(
    _ body: (UnsafePointer<Int>, UnsafePointer<Int>, UnsafePointer<Int32>) -> Void
  ) {
    starts.withUnsafeBufferPointer { starts in
      counts.withUnsafeBufferPointer { counts in
        weights.withUnsafeBufferPointer { weights in
          guard let starts = starts.baseAddress, let counts = counts.baseAddress,
            let weights = weights.baseAddress
          else { return }
          body(starts, counts, weights)
        }
      }
    }
  }
}
