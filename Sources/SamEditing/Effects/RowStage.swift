import SamImageIO

/// A pixel being composed: red, green and blue multiplied by alpha, and alpha; each 0...255.
typealias Paint = SIMD4<Float>

/// One step of composing a picture, row by row.
///
/// The rows are painted from the back to the front: background, what is done to it, outlines, object.
struct RowStage: Sendable {
  /// Changes the row `y` of the canvas in place.
  typealias Worker = (_ y: Int, _ row: UnsafeMutablePointer<Paint>) -> Void

  /// Makes a worker for one thread, with whatever memory it needs.
  let makeWorker: @Sendable () -> Worker

  init(_ makeWorker: @escaping @Sendable () -> Worker) {
    self.makeWorker = makeWorker
  }
}

extension RowStage {
  /// Lays a colour over what is there.
  @inline(__always)
  static func over(_ below: Paint, _ above: Paint) -> Paint {
    above + below * (1 - above.w * (1 / 255))
  }
}

extension [RowStage] {
  /// Composes rows from nothing and hands each to `body`.
  func compose(
    _ rows: Range<Int>, width: Int,
    _ body: (_ y: Int, _ row: UnsafeMutablePointer<Paint>) -> Void
  ) {
    let workers = map { $0.makeWorker() }
    let row = Scratch<Paint>(width)
    for y in rows {
      row.base.initialize(repeating: .zero, count: width)
      for worker in workers { worker(y, row.base) }
      body(y, row.base)
    }
  }

  /// Composes a whole picture: RGB where it is opaque everywhere, RGBA elsewhere.
  func render(width: Int, height: Int, loop: RowLoop) -> PixelImage {
    let seeThrough = SharedFlag()
    let pixels: [UInt8] = loop.plane(rows: height, length: width * 4) { rows, first in
      var target = first
      var lowest: Float = 255
      compose(rows, width: width) { _, row in
        for x in 0..<width {
          let paint = row[x]
          lowest = Swift.min(lowest, paint.w)
          Self.store(paint, target + x * 4)
        }
        target += width * 4
      }
      if lowest < 254.5 { seeThrough.raise() }
    }
    let image = PixelImage(width: width, height: height, channels: 4, pixels: pixels)
    return seeThrough.isRaised ? image : image.converted(toChannels: 3)
  }

  /// Divides by alpha; hidden colours become black, so that nothing cut away travels along.
  @inline(__always)
  private static func store(_ paint: Paint, _ target: UnsafeMutablePointer<UInt8>) {
    let alpha = Int32(paint.w + 0.5)
    guard alpha > 0 else {
      target[0] = 0
      target[1] = 0
      target[2] = 0
      target[3] = 0
      return
    }
    var colour = alpha >= 255 ? paint : paint * (255 / paint.w)
    colour.w = paint.w
    colour.replace(with: 255, where: colour .> 255)
    colour.replace(with: 0, where: colour .< 0)
    let bytes = roundedBytes(colour)
    target[0] = UInt8(truncatingIfNeeded: bytes.x)
    target[1] = UInt8(truncatingIfNeeded: bytes.y)
    target[2] = UInt8(truncatingIfNeeded: bytes.z)
    target[3] = UInt8(truncatingIfNeeded: bytes.w)
  }
}
