import SamSwift

/// A photograph at the size of a tile, with what was found in it and what is there.
struct CaseThumbnail {
  private static let found: Canvas.Color = (255, 64, 129)
  private static let foundStrength: Float = 0.55
  private static let outline: Canvas.Color = (255, 255, 255)
  private static let include: Canvas.Color = (46, 204, 64)
  private static let exclude: Canvas.Color = (255, 65, 54)

  let image: PixelImage

  /// Fits the photograph into `width` × `height`.
  init(
    _ photograph: PixelImage, mask: BinaryMask, truth: BinaryMask, clicks: [SamPoint], width: Int,
    height: Int
  ) {
    let scale = min(
      Double(width) / Double(photograph.width), Double(height) / Double(photograph.height))
    let grid = AreaGrid(
      sourceWidth: photograph.width, sourceHeight: photograph.height,
      width: max(1, Int(Double(photograph.width) * scale)),
      height: max(1, Int(Double(photograph.height) * scale)))
    let colors = photograph.flattened().converted(toChannels: 3)
    var canvas = Canvas(
      PixelImage(
        width: grid.width, height: grid.height, channels: 3,
        pixels: grid.means(of: colors.pixels, channels: 3).map { UInt8($0 + 0.5) }))
    let found = grid.means(of: mask.bytes, channels: 1)
    let there = grid.means(of: truth.bytes, channels: 1)
    for y in 0..<grid.height {
      for x in 0..<grid.width {
        let i = y * grid.width + x
        canvas.blend(x, y, Self.found, strength: found[i] * Self.foundStrength)
        guard there[i] >= 0.5 else { continue }
        let isOutline =
          (x > 0 && there[i - 1] < 0.5) || (x + 1 < grid.width && there[i + 1] < 0.5)
          || (y > 0 && there[i - grid.width] < 0.5)
          || (y + 1 < grid.height && there[i + grid.width] < 0.5)
        if isOutline { canvas.blend(x, y, Self.outline, strength: 1) }
      }
    }
    for click in clicks {
      canvas.mark(
        x: (click.x + 0.5) * scale, y: (click.y + 0.5) * scale, radius: 4,
        color: click.label == .include ? Self.include : Self.exclude)
    }
    image = canvas.image
  }
}

/// Cells that cover a picture; each is the mean of the pixels that lie in it, or the nearest one.
private struct AreaGrid {
  let sourceWidth: Int
  let sourceHeight: Int
  let width: Int
  let height: Int

  func means(of bytes: [UInt8], channels: Int) -> [Float] {
    var means: [Float] = []
    means.reserveCapacity(width * height * channels)
    for y in 0..<height {
      let rows = span(y, of: height, in: sourceHeight)
      for x in 0..<width {
        let columns = span(x, of: width, in: sourceWidth)
        for channel in 0..<channels {
          var sum = 0
          for row in rows {
            for column in columns {
              sum += Int(bytes[(row * sourceWidth + column) * channels + channel])
            }
          }
          means.append(Float(sum) / Float(rows.count * columns.count))
        }
      }
    }
    return means
  }

  private func span(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
    let start = min(index * length / count, length - 1)
    return start..<max(start + 1, (index + 1) * length / count)
  }
}
