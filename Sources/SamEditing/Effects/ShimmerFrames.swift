import SamImageIO

/// Paints the frames of a travelling light over a finished picture.
struct ShimmerFrames: Sendable {
  private let base: PixelImage
  private let path: ShimmerPath
  private let shimmer: Shimmer
  /// The light's brightness behind its head, by phase difference (the upper 10 of 16 bits).
  private let tail: [Float]

  /// - Parameter base: RGB or RGBA.
  init(_ base: PixelImage, path: ShimmerPath, shimmer: Shimmer) {
    self.base = base.converted(toChannels: 4)
    self.path = path
    self.shimmer = shimmer
    tail = (0..<1024).map { index in
      let behind = Float(index) / 1024
      let length = Float(shimmer.length)
      // A soft head, and a tail that has faded out after its length.
      let head = smoothStep(1 - 0.02, 1, behind)
      let rest = behind < length ? (1 - behind / length) * (1 - behind / length) : 0
      return max(head, rest)
    }
  }

  /// All frames; each later one holds only the rectangle that changes.
  func animation() -> PixelAnimation {
    let isOpaque = !stride(from: 3, to: base.pixels.count, by: 4).contains { base.pixels[$0] < 255 }
    var shown = base
    var frames: [PixelAnimation.Frame] = []
    for number in 0..<shimmer.frameCount {
      let before = shown
      let changed = paint(number, on: &shown)
      if number == 0 {
        frames.append(.init(image: shown))
      } else if let changed {
        frames.append(frame(from: before, to: shown, in: changed, isOpaque: isOpaque))
      } else {
        // Nothing is lit: a frame has at least one pixel.
        frames.append(.init(image: shown.part(columns: 0..<1, rows: 0..<1)))
      }
    }
    return PixelAnimation(frames: frames, millisecondsPerFrame: shimmer.millisecondsPerFrame)
  }

  /// Paints a frame's light; returns the rectangle in which pixels changed.
  private func paint(_ number: Int, on shown: inout PixelImage) -> Changed? {
    let head = UInt16(truncatingIfNeeded: number * 65_536 / shimmer.frameCount)
    let tint = shimmer.color.premultiplied
    let width = base.width
    var changed = Changed()
    shown.withUnsafeMutablePixels { pixels in
      base.pixels.withUnsafeBufferPointer { base in
        tail.withUnsafeBufferPointer { tail in
          for place in path.places {
            let start = Int(place.index) * 4
            let light = tail[Int((head &- place.phase) >> 6)] * Float(place.strength) * (1 / 255)
            var colour = SIMD4<UInt8>(
              base[start], base[start + 1], base[start + 2], base[start + 3])
            if light > 1 / 512 { colour = Self.lit(colour, by: light, place.whiteness, tint) }
            for channel in 0..<4 where pixels[start + channel] != colour[channel] {
              pixels[start + channel] = colour[channel]
              changed.add(Int(place.index) % width, Int(place.index) / width)
            }
          }
        }
      }
    }
    return changed.isEmpty ? nil : changed
  }

  /// Light on a pixel, in straight colours.
  private static func lit(
    _ colour: SIMD4<UInt8>, by light: Float, _ whiteness: UInt8, _ tint: SIMD4<Float>
  ) -> SIMD4<UInt8> {
    var paint = SIMD4<Float>(colour)
    let alpha = paint.w
    paint *= alpha * (1 / 255)
    paint.w = alpha
    let white = Float(whiteness) * (1 / 255)
    let rays = (tint + (SIMD4(repeating: 255) - tint) * white) * light
    paint += rays * ((255 - paint) * (1 / 255))
    let straight = paint * (255 / paint.w)
    return SIMD4<UInt8>(
      clamping: SIMD4<Int32>(SIMD4(straight.x, straight.y, straight.z, paint.w) + 0.5))
  }

  /// The changed rectangle of an opaque picture lies over it with clear pixels where nothing changed,
  /// which take next to no room in the file; a picture with alpha has its rectangle replaced.
  private func frame(
    from before: PixelImage, to after: PixelImage, in changed: Changed, isOpaque: Bool
  ) -> PixelAnimation.Frame {
    var part = after.part(columns: changed.columns, rows: changed.rows)
    if isOpaque {
      let old = before.part(columns: changed.columns, rows: changed.rows)
      part.withUnsafeMutablePixels { pixels in
        for start in stride(from: 0, to: pixels.count, by: 4)
        where (0..<3).allSatisfy({ pixels[start + $0] == old.pixels[start + $0] }) {
          for channel in 0..<4 { pixels[start + channel] = 0 }
        }
      }
    }
    return PixelAnimation.Frame(
      image: part, left: changed.columns.lowerBound, top: changed.rows.lowerBound,
      blending: isOpaque ? .over : .replace)
  }

  /// A rectangle that grows.
  private struct Changed {
    private var left = Int.max
    private var right = 0
    private var top = Int.max
    private var bottom = 0

    var isEmpty: Bool { bottom == 0 }
    var columns: Range<Int> { left..<right }
    var rows: Range<Int> { top..<bottom }

    mutating func add(_ x: Int, _ y: Int) {
      left = min(left, x)
      right = max(right, x + 1)
      top = min(top, y)
      bottom = max(bottom, y + 1)
    }
  }
}

extension PixelImage {
  /// A rectangle of the picture.
  fileprivate func part(columns: Range<Int>, rows: Range<Int>) -> PixelImage {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(columns.count * rows.count * channels)
    for y in rows {
      let start = (y * width + columns.lowerBound) * channels
      bytes += pixels[start..<start + columns.count * channels]
    }
    return PixelImage(
      width: columns.count, height: rows.count, channels: channels, pixels: bytes)
  }
}
