import SamModel

/// OpenCV's area mean and Pillow's bilinear filter, one value at a time.
///
/// Slow, and plain enough to be read beside the two libraries' own definitions.
enum ResizeTwin {
  /// The input positions that one output position reads.
  private struct Window<Weight> {
    let start: Int
    var weights: [Weight]
  }

  /// OpenCV's INTER_AREA with fractional cells, RGB.
  static func openCVArea(_ picture: Picture, width: Int, height: Int) -> [UInt8] {
    let columns = areaWindows(from: picture.width, to: width)
    let rows = areaWindows(from: picture.height, to: height)
    return map(width: width, height: height) { x, y, channel in
      var sum: Float = 0
      for (i, rowWeight) in rows[y].weights.enumerated() {
        var across: Float = 0
        for (j, weight) in columns[x].weights.enumerated() {
          let value = picture.value(columns[x].start + j, rows[y].start + i, channel)
          across += Float(value) * weight
        }
        sum += across * rowWeight
      }
      return UInt8(sum.rounded(.toNearestOrEven))
    }
  }

  /// OpenCV's INTER_AREA over whole blocks, RGB; 2×2 rounds a half up, all others to even.
  static func openCVBlocks(_ picture: Picture, width: Int, height: Int) -> [UInt8] {
    let block = (width: picture.width / width, height: picture.height / height)
    let count = block.width * block.height
    return map(width: width, height: height) { x, y, channel in
      var sum = 0
      for i in 0..<block.height {
        for j in 0..<block.width {
          sum += Int(picture.value(x * block.width + j, y * block.height + i, channel))
        }
      }
      return block == (2, 2)
        ? UInt8((sum + 2) / 4)
        : UInt8((Float(sum) * (1 / Float(count))).rounded(.toNearestOrEven))
    }
  }

  /// Pillow's BILINEAR, RGB.
  static func pillowBilinear(_ picture: Picture, width: Int, height: Int) -> [UInt8] {
    let columns = triangleWindows(from: picture.width, to: width)
    let rows = triangleWindows(from: picture.height, to: height)
    func pixel(_ window: Window<Int>, _ value: (Int) -> Int) -> Int {
      let sum = window.weights.enumerated().reduce(1 << 21) { sum, weight in
        sum + weight.element * value(window.start + weight.offset)
      }
      return min(sum >> 22, 255)
    }
    let heightLoss = picture.height - height
    let goesDownFirst = heightLoss > 0 && heightLoss > (picture.width - width) * 2
    return map(width: width, height: height) { x, y, channel in
      let value =
        goesDownFirst
        ? pixel(columns[x]) { j in
          pixel(rows[y]) { i in Int(picture.value(j, i, channel)) }
        }
        : pixel(rows[y]) { i in
          pixel(columns[x]) { j in Int(picture.value(j, i, channel)) }
        }
      return UInt8(value)
    }
  }

  private static func map(
    width: Int, height: Int, _ value: (_ x: Int, _ y: Int, _ channel: Int) -> UInt8
  ) -> [UInt8] {
    (0..<width * height * 3).map { value($0 / 3 % width, $0 / 3 / width, $0 % 3) }
  }

  private static func areaWindows(from input: Int, to output: Int) -> [Window<Float>] {
    let scale = 1 / (Double(output) / Double(input))
    return (0..<output).map { position in
      let begin = Double(position) * scale
      let end = begin + scale
      let size = min(scale, Double(input) - begin)
      let last = min(Int(end.rounded(.down)), input - 1)
      let first = min(Int(begin.rounded(.up)), last)
      let hasSliver = Double(first) - begin > 1e-3
      var window = Window<Float>(start: hasSliver ? first - 1 : first, weights: [])
      if hasSliver {
        window.weights.append(Float((Double(first) - begin) / size))
      }
      window.weights += [Float](repeating: Float(1 / size), count: last - first)
      if end - Double(last) > 1e-3 {
        window.weights.append(Float(min(min(end - Double(last), 1), size) / size))
      }
      return window
    }
  }

  private static func triangleWindows(from input: Int, to output: Int) -> [Window<Int>] {
    guard input != output else {
      return (0..<output).map { Window(start: $0, weights: [1 << 22]) }
    }
    let scale = Double(input) / Double(output)
    let support = max(scale, 1)
    return (0..<output).map { position in
      let center = (Double(position) + 0.5) * scale
      let start = max(0, Int(center - support + 0.5))
      let end = min(input, Int(center + support + 0.5))
      let shares = (start..<end).map { pixel in
        max(0, 1 - abs((Double(pixel) - center + 0.5) * (1 / support)))
      }
      let total = shares.reduce(0, +)
      return Window(start: start, weights: shares.map { Int(0.5 + $0 / total * 4_194_304) })
    }
  }
}

extension Picture {
  fileprivate func value(_ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
    pixels[(y * width + x) * channels + (channels == 1 ? 0 : channel)]
  }
}
