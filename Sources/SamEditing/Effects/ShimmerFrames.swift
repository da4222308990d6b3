import SamImageIO
import Synchronization

/// Paints the frames of a travelling light over a finished picture.
///
/// Only the colours of pixels that the light can reach are kept from frame to frame.
package struct ShimmerFrames: Sendable {
  /// RGB where it is opaque everywhere.
  private let base: PixelImage
  private let path: ShimmerPath
  private let shimmer: Shimmer
  private let loop: RowLoop
  /// The light's brightness behind its head, by phase difference (the upper 10 of 16 bits).
  private let tail: [Float]

  /// Columns of the animation.
  package var width: Int { base.width }
  /// Rows of the animation.
  package var height: Int { base.height }
  /// How many frames there are.
  package var count: Int { shimmer.frameCount }
  /// How long each is shown.
  package var millisecondsPerFrame: Int { shimmer.millisecondsPerFrame }

  /// Prepares the frames over `base`, which is RGB or RGBA.
  init(_ base: PixelImage, path: ShimmerPath, shimmer: Shimmer, loop: RowLoop) {
    self.base = base
    self.path = path
    self.shimmer = shimmer
    self.loop = loop
    tail = (0..<1024).map { index in
      let behind = Float(index) / 1024
      let length = Float(shimmer.length)
      // A soft head, and a tail that has faded out after its length.
      let head = smoothStep(1 - 0.02, 1, behind)
      let rest = behind < length ? (1 - behind / length) * (1 - behind / length) : 0
      return max(head, rest)
    }
  }

  /// A frame: the rectangle that changes, whose pixels are computed row by row.
  ///
  /// In an opaque picture it lies over what is shown, with clear pixels where nothing changed, which
  /// take next to no room in a file; in a picture with alpha it is replaced.
  package struct Frame: Sendable {
    /// Never empty.
    package fileprivate(set) var columns: Range<Int>
    package fileprivate(set) var rows: Range<Int>
    package fileprivate(set) var blending: PixelAnimation.Blending
    /// What lies under the places; nil leaves it clear.
    fileprivate var base: PixelImage?
    fileprivate var path: ShimmerPath
    /// The colour of each place, clear where it stays.
    fileprivate var colours: [SIMD4<UInt8>]

    /// Writes the RGBA bytes of a row, counted from the frame's upper edge.
    package func write(row: Int, to output: UnsafeMutablePointer<UInt8>) {
      let y = rows.lowerBound + row
      if let base {
        base.copyRow(y, columns: columns, to: output)
      } else {
        output.update(repeating: 0, count: columns.count * 4)
      }
      let target = UnsafeMutableRawPointer(output)
      path.places.withUnsafeBufferPointer { places in
        colours.withUnsafeBufferPointer { colours in
          for index in path.places(ofRow: y) where colours[index].w > 0 {
            let column = Int(places[index].column)
            guard columns.contains(column) else { continue }
            target.storeBytes(
              of: colours[index], toByteOffset: (column - columns.lowerBound) * 4,
              as: SIMD4<UInt8>.self)
          }
        }
      }
    }

    /// The frame's pixels.
    fileprivate var image: PixelImage {
      var image = PixelImage(
        width: columns.count, height: rows.count, channels: 4, repeating: 0)
      image.withUnsafeMutablePixels { pixels in
        guard let start = pixels.baseAddress else { return }
        for row in 0..<rows.count { write(row: row, to: start + row * columns.count * 4) }
      }
      return image
    }
  }

  /// All frames at once.
  func animation() -> PixelAnimation {
    var frames: [PixelAnimation.Frame] = []
    forEach { frame in
      frames.append(
        .init(
          image: frame.image, left: frame.columns.lowerBound, top: frame.rows.lowerBound,
          blending: frame.blending))
    }
    return PixelAnimation(frames: frames, millisecondsPerFrame: shimmer.millisecondsPerFrame)
  }

  /// Calls `body` with one frame after the other; the first fills the picture.
  package func forEach<Failure: Error>(
    _ body: (Frame) throws(Failure) -> Void
  ) throws(Failure) {
    var shown = paint(0, over: nil).colours
    try body(
      Frame(
        columns: 0..<base.width, rows: 0..<base.height, blending: .replace, base: base, path: path,
        colours: shown))
    for number in 1..<shimmer.frameCount {
      let painted = paint(number, over: shown)
      let isOpaque = !base.hasAlpha
      try body(
        Frame(
          columns: painted.columns, rows: painted.rows, blending: isOpaque ? .over : .replace,
          base: isOpaque ? nil : base, path: path,
          colours: isOpaque ? painted.changes : painted.colours))
      shown = painted.colours
    }
  }

  /// What a frame's light makes of the places.
  private struct Painted {
    var colours: [SIMD4<UInt8>]
    /// The colours of those that change, and clear ones.
    var changes: [SIMD4<UInt8>]
    /// Where they lie; a frame has at least one pixel.
    var columns: Range<Int>
    var rows: Range<Int>
  }

  /// Paints a frame's light; `shown` are the places' colours in the frame before, if there is one.
  private func paint(_ number: Int, over shown: [SIMD4<UInt8>]?) -> Painted {
    let head = UInt16(truncatingIfNeeded: number * 65_536 / shimmer.frameCount)
    let tint = shimmer.color.premultiplied
    let count = path.places.count
    let extent = Mutex<(columns: Range<Int>, rows: Range<Int>)?>(nil)
    var changes = [SIMD4<UInt8>](repeating: .zero, count: shown == nil ? 0 : count)
    let colours = changes.withUnsafeMutableBufferPointer { changes in
      let changed = changes.baseAddress.map(SharedMemory.init)
      return [SIMD4<UInt8>](unsafeUninitializedCapacity: count) { colours, initialized in
        initialized = count
        guard let first = colours.baseAddress else { return }
        let output = SharedMemory(first)
        loop.bands(of: base.height) { rows in
          var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
          for y in rows {
            for index in path.places(ofRow: y) {
              let place = path.places[index]
              let column = Int(place.column)
              let light = tail[Int((head &- place.phase) >> 6)] * Float(place.strength) * (1 / 255)
              var colour = base.rgba(column, y)
              if light > 1 / 512 { colour = Self.lit(colour, by: light, place.whiteness, tint) }
              output.base[index] = colour
              guard let shown, let changed, colour != shown[index] else { continue }
              changed.base[index] = colour
              (left, right) = (min(left, column), max(right, column + 1))
              (top, bottom) = (min(top, y), y + 1)
            }
          }
          guard left < right else { return }
          let (columns, rows) = (left..<right, top..<bottom)
          extent.withLock {
            $0 = ($0?.columns.hull(columns) ?? columns, $0?.rows.hull(rows) ?? rows)
          }
        }
      }
    }
    let (columns, rows) = extent.withLock { $0 } ?? (0..<1, 0..<1)
    return Painted(colours: colours, changes: changes, columns: columns, rows: rows)
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
}

extension Range<Int> {
  /// The smallest range that holds both.
  fileprivate func hull(_ other: Range<Int>) -> Range<Int> {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}

extension PixelImage {
  /// A pixel of an RGB or RGBA picture.
  @inline(__always)
  fileprivate func rgba(_ x: Int, _ y: Int) -> SIMD4<UInt8> {
    let start = (y * width + x) * channels
    return SIMD4(
      pixels[start], pixels[start + 1], pixels[start + 2], hasAlpha ? pixels[start + 3] : 255)
  }

  /// Writes the RGBA bytes of a part of a row.
  fileprivate func copyRow(
    _ y: Int, columns: Range<Int>, to output: UnsafeMutablePointer<UInt8>
  ) {
    for (index, x) in columns.enumerated() {
      let colour = rgba(x, y)
      for channel in 0..<4 { output[index * 4 + channel] = colour[channel] }
    }
  }
}
