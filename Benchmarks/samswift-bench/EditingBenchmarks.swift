import SamEditing
import SamImageIO
import SamSwift

/// Cut-outs, effects, clean-up and exports on pictures of 3 and 12 megapixels, on one thread: the time is
/// to be linear in the pixels.
enum EditingBenchmarks {
  static func all() -> [Benchmark] {
    [("3MP", 2000, 1500), ("12MP", 4000, 3000)].flatMap { name, width, height in
      let options: [(String, CutOutOptions)] = [
        ("plain", CutOutOptions(edgeReach: 0, cleanEdges: false)),
        ("cut-out", CutOutOptions()),
        ("highlight", CutOutOptions(background: .picture, effects: [.highlight()])),
        ("gray", CutOutOptions(background: .picture, effects: [.gray()])),
        ("blur", CutOutOptions(background: .picture, effects: [.blur()])),
        ("glow", CutOutOptions(background: .picture, effects: [.glow()])),
        ("sticker", CutOutOptions(effects: [.sticker()])),
        ("on-a-picture", CutOutOptions(background: .image(backdrop))),
      ]
      let lifts = options.map { what, options in
        Benchmark("edit/\(name)/\(what)/1") {
          let (picture, mask) = try scene(width: width, height: height)
          return {
            let result = try CutOut(of: picture, masks: [AlphaLayer(mask: mask)], options: options)
              .render()
            return Double(result.pixels[result.pixels.count / 2])
          }
        }
      }
      return lifts + [
        Benchmark("edit/\(name)/shimmer/1") {
          let (picture, mask) = try scene(width: width, height: height)
          let options = CutOutOptions(background: .picture)
          return {
            let animation = try CutOut(
              of: picture, masks: [AlphaLayer(mask: mask)], options: options
            ).animate()
            return Double(animation.frames.count)
          }
        },
        Benchmark("edit/\(name)/clean-up/1") {
          let (_, mask) = try scene(width: width, height: height)
          let cleanUp = MaskCleanUp(
            minimumArea: 500, maximumHole: 500, keepsClicked: true, smoothing: 3)
          return {
            let clean = try cleanUp(mask, clicks: [(Double(width) / 2, Double(height) / 2)])
            return Double(clean.pixels[clean.pixels.count / 2])
          }
        },
        Benchmark("edit/\(name)/run-lengths/1") {
          let (_, mask) = try scene(width: width, height: height)
          return { Double(MaskRuns(mask).compressed.utf8.count) }
        },
        Benchmark("edit/\(name)/polygons/1") {
          let (_, mask) = try scene(width: width, height: height)
          return { Double(try MaskOutline(mask, tolerance: 1).polygons.count) }
        },
      ]
    }
  }

  private static var backdrop: PixelImage {
    let source = BenchPicture.make(width: 3000, height: 2500)
    return PixelImage(width: 3000, height: 2500, channels: 3, pixels: source.pixels)
  }

  /// A picture, and a wavy disc with a soft edge, a hole and specks.
  private static func scene(
    width: Int, height: Int
  ) throws -> (picture: PixelImage, mask: PixelImage) {
    let source = BenchPicture.make(width: width, height: height)
    let radius = Double(height) * 0.35
    var mask = [UInt8](repeating: 0, count: width * height)
    mask.withUnsafeMutableBufferPointer { mask in
      for y in 0..<height {
        for x in 0..<width {
          let dx = Double(x) - Double(width) / 2
          let dy = Double(y) - Double(height) / 2
          let square = dx * dx + dy * dy
          // Lobes without trigonometry: the fourth power's harmonics.
          let lobes = square > 0 ? (dx * dx * dy * dy) / (square * square) : 0
          let reach = radius * (0.8 + lobes)
          let distance = square.squareRoot()
          let edge = min(reach - distance, distance - radius * 0.2)
          let isSpeck = x % 97 < 3 && y % 89 < 3 && distance > reach + 40
          mask[y * width + x] = isSpeck ? 200 : UInt8(min(255, max(0, 128 + edge * 20)))
        }
      }
    }
    return (
      PixelImage(width: width, height: height, channels: 3, pixels: source.pixels),
      PixelImage(width: width, height: height, channels: 1, pixels: mask)
    )
  }
}
