import SamImageIO

/// What lies behind an object.
public enum SamBackground: Sendable, Hashable {
  /// Nothing: the result has alpha.
  case transparent
  /// The object's own picture.
  case picture
  /// One colour.
  case color(SamColor)
  /// Another picture, scaled to cover the result, its middle shown.
  case image(PixelImage)
}

extension SamBackground {
  /// Paints the background of a canvas; nil where there is nothing to paint.
  ///
  /// The picture's own pixels are seen free of `subject`, the object.
  func stage(_ canvas: Canvas, picture: PixelImage, subject: Subject) -> RowStage? {
    switch self {
    case .transparent: nil
    case .color(let color):
      RowStage {
        let paint = color.premultiplied
        return { _, row in row.update(repeating: paint, count: canvas.width) }
      }
    case .image(let image):
      CoverScaling(image, width: canvas.width, height: canvas.height).stage
    case .picture: Self.stage(canvas, picture, subject)
    }
  }

  /// The object's own picture, with the object taken out where it covers part of a pixel.
  private static func stage(
    _ canvas: Canvas, _ picture: PixelImage, _ subject: Subject
  ) -> RowStage {
    RowStage {
      { y, row in
        guard canvas.shows(y, ofHeight: picture.height) else { return }
        let start = (y + canvas.top) * picture.width + canvas.left
        picture.pixels.withUnsafeBufferPointer { pixels in
          subject.alpha.withUnsafeBufferPointer { alpha in
            subject.colours.withUnsafeBufferPointer { colours in
              for x in canvas.columns(ofWidth: picture.width) {
                var paint = picture.paint(pixels, start + x)
                let cover = alpha[start + x]
                if cover &+ 1 > 1, paint.w == 255 {
                  let share = Float(cover) * (1 / 255)
                  let index = (start + x) * 3
                  let own = SIMD4<Float>(
                    Float(colours[index]), Float(colours[index + 1]), Float(colours[index + 2]),
                    255)
                  paint = (paint - own * share) * (1 / (1 - share))
                  paint.replace(with: 0, where: paint .< 0)
                  paint.replace(with: 255, where: paint .> 255)
                  paint.w = 255
                }
                row[x] = paint
              }
            }
          }
        }
      }
    }
  }
}

extension PixelImage {
  /// A pixel of the picture, whose pixels are given.
  @inline(__always)
  func paint(_ pixels: UnsafeBufferPointer<UInt8>, _ index: Int) -> Paint {
    let start = index * channels
    let red = Float(pixels[start])
    guard hasColor else { return SIMD4(red, red, red, 255) }
    let colour = SIMD4<Float>(red, Float(pixels[start + 1]), Float(pixels[start + 2]), 255)
    return hasAlpha ? colour * (Float(pixels[start + 3]) * (1 / 255)) : colour
  }
}
