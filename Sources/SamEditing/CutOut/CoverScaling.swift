import SamImageIO

extension PixelImage {
  /// The picture scaled so that it just covers a rectangle, its middle cut out.
  ///
  /// Every pixel is the mean of what it stands for where the picture shrinks, and bilinear where it
  /// grows. Linear in the pixels of both.
  func covering(width: Int, height: Int, loop: RowLoop) -> PixelImage {
    if width == self.width, height == self.height { return self }
    let scale = min(Double(self.width) / Double(width), Double(self.height) / Double(height))
    let left = (Double(self.width) - Double(width) * scale) / 2
    let top = (Double(self.height) - Double(height) * scale) / 2
    let columns = AxisTaps(count: width, scale: scale, offset: left, length: self.width)
    let rows = AxisTaps(count: height, scale: scale, offset: top, length: self.height)
    let channels = channels
    let sourceWidth = self.width
    let scaled: [UInt8] = loop.plane(rows: height, length: width * channels) { band, first in
      let sums = Scratch<Float>(sourceWidth * channels)
      pixels.withUnsafeBufferPointer { pixels in
        for (index, y) in band.enumerated() {
          sums.base.initialize(repeating: 0, count: sums.count)
          for tap in rows.taps(y) {
            let source = tap.index * sourceWidth * channels
            for i in 0..<sums.count { sums.base[i] += Float(pixels[source + i]) * tap.weight }
          }
          let target = first + index * width * channels
          for x in 0..<width {
            for channel in 0..<channels {
              var sum: Float = 0
              for tap in columns.taps(x) {
                sum += sums.base[tap.index * channels + channel] * tap.weight
              }
              target[x * channels + channel] = UInt8(truncatingIfNeeded: Int32(sum + 0.5))
            }
          }
        }
      }
    }
    return PixelImage(width: width, height: height, channels: channels, pixels: scaled)
  }
}

/// Which source pixels, and how much of each, make each pixel of a scaled side.
private struct AxisTaps: Sendable {
  struct Tap: Sendable {
    let index: Int
    let weight: Float
  }

  private var all: [Tap] = []
  private var starts: [Int] = [0]

  /// A triangle filter as wide as a target pixel, at least one source pixel to each side.
  init(count: Int, scale: Double, offset: Double, length: Int) {
    let reach = max(1, scale)
    for target in 0..<count {
      let centre = offset + (Double(target) + 0.5) * scale - 0.5
      let first = Int((centre - reach).rounded(.up))
      let last = Int((centre + reach).rounded(.down))
      var total = 0.0
      var taps: [(index: Int, weight: Double)] = []
      for source in first...max(first, last) {
        let weight = max(0, 1 - abs(Double(source) - centre) / reach)
        taps.append((min(max(source, 0), length - 1), weight))
        total += weight
      }
      all += taps.map { Tap(index: $0.index, weight: Float(total > 0 ? $0.weight / total : 1)) }
      starts.append(all.count)
    }
  }

  func taps(_ target: Int) -> ArraySlice<Tap> { all[starts[target]..<starts[target + 1]] }
}
