import SamImageIO

/// Paints the frames of a travelling light over a finished picture.
struct ShimmerFrames: Sendable {
  private let base: PixelImage
  private let path: ShimmerPath
  private let shimmer: Shimmer
  /// The light's brightness behind its head, by phase difference (the upper 10 of 16 bits).
  private let tail: [Float]

  /// Prepares the frames over `base`, which is RGB or RGBA.
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
      let changes = paint(number, on: &shown)
      frames.append(
        number == 0 ? .init(image: shown) : frame(of: shown, changes, isOpaque: isOpaque))
    }
    return PixelAnimation(frames: frames, millisecondsPerFrame: shimmer.millisecondsPerFrame)
  }

  /// Paints a frame's light; returns the pixels that changed.
  private func paint(_ number: Int, on shown: inout PixelImage) -> [Int32] {
    let head = UInt16(truncatingIfNeeded: number * 65_536 / shimmer.frameCount)
    let tint = shimmer.color.premultiplied
    var changes: [Int32] = []
    shown.withUnsafeMutablePixels { pixels in
      base.pixels.withUnsafeBufferPointer { base in
        tail.withUnsafeBufferPointer { tail in
          for place in path.places {
            let start = Int(place.index) * 4
            let light = tail[Int((head &- place.phase) >> 6)] * Float(place.strength) * (1 / 255)
            var colour = SIMD4<UInt8>(
              base[start], base[start + 1], base[start + 2], base[start + 3])
            if light > 1 / 512 { colour = Self.lit(colour, by: light, place.whiteness, tint) }
            let old = SIMD4<UInt8>(
              pixels[start], pixels[start + 1], pixels[start + 2], pixels[start + 3])
            guard colour != old else { continue }
            for channel in 0..<4 { pixels[start + channel] = colour[channel] }
            changes.append(place.index)
          }
        }
      }
    }
    return changes
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
    var straight = paint * (255 / paint.w)
    straight.w = paint.w
    straight.replace(with: 255, where: straight .> 255)
    let bytes = roundedBytes(straight)
    return SIMD4<UInt8>(
      UInt8(truncatingIfNeeded: bytes.x), UInt8(truncatingIfNeeded: bytes.y),
      UInt8(truncatingIfNeeded: bytes.z), UInt8(truncatingIfNeeded: bytes.w))
  }

  /// The rectangle that changes.
  ///
  /// In an opaque picture it lies over what is shown, with clear pixels where nothing changed, which
  /// take next to no room in the file; in a picture with alpha it is replaced.
  private func frame(
    of shown: PixelImage, _ changes: [Int32], isOpaque: Bool
  ) -> PixelAnimation.Frame {
    // A frame has at least one pixel.
    var (left, right, top, bottom) = changes.isEmpty ? (0, 1, 0, 1) : (Int.max, 0, Int.max, 0)
    for index in changes {
      let (y, x) = Int(index).quotientAndRemainder(dividingBy: base.width)
      (left, right) = (min(left, x), max(right, x + 1))
      (top, bottom) = (min(top, y), max(bottom, y + 1))
    }
    guard isOpaque else {
      return PixelAnimation.Frame(
        image: shown.part(columns: left..<right, rows: top..<bottom), left: left, top: top)
    }
    var part = PixelImage(
      width: right - left, height: bottom - top, channels: 4, repeating: 0)
    let width = part.width
    part.withUnsafeMutablePixels { pixels in
      shown.pixels.withUnsafeBufferPointer { shown in
        for index in changes {
          let (y, x) = Int(index).quotientAndRemainder(dividingBy: base.width)
          let target = ((y - top) * width + x - left) * 4
          for channel in 0..<4 { pixels[target + channel] = shown[Int(index) * 4 + channel] }
        }
      }
    }
    return PixelAnimation.Frame(image: part, left: left, top: top, blending: .over)
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
