import SamImageIO

/// A gray mask laid over a picture of another size.
package struct AlphaLayer: Sendable {
  package var mask: PixelImage
  /// Pixels of the picture that one pixel of the mask is wide and high.
  package var pixelWidth: Double
  package var pixelHeight: Double

  package init(mask: PixelImage, pixelWidth: Double, pixelHeight: Double) {
    self.mask = mask
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
  }
}

extension PixelImage {
  /// The picture as RGBA with the largest of the layers' values as alpha.
  ///
  /// Masks smaller than the picture are enlarged bilinearly. An alpha that the picture already has
  /// is kept where it is smaller. Linear in the pixels; colours are not premultiplied.
  package func cutOut(by layers: [AlphaLayer]) -> PixelImage {
    var bytes = [UInt8](repeating: 0, count: width * height * 4)
    var alpha = [UInt8](repeating: 0, count: width)
    let (green, blue) = hasColor ? (1, 2) : (0, 0)
    let ownAlpha = hasAlpha ? channels - 1 : nil
    pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<height {
        for x in alpha.indices { alpha[x] = 0 }
        for layer in layers { layer.raise(&alpha, row: y) }
        for x in 0..<width {
          let source = (y * width + x) * channels
          let target = (y * width + x) * 4
          bytes[target] = pixels[source]
          bytes[target + 1] = pixels[source + green]
          bytes[target + 2] = pixels[source + blue]
          bytes[target + 3] = ownAlpha.map { min(alpha[x], pixels[source + $0]) } ?? alpha[x]
        }
      }
    }
    return PixelImage(width: width, height: height, channels: 4, pixels: bytes)
  }
}

extension AlphaLayer {
  /// Raises the values of one row of the picture to the mask's where it is larger.
  fileprivate func raise(_ alpha: inout [UInt8], row y: Int) {
    let width = mask.width
    mask.pixels.withUnsafeBufferPointer { pixels in
      if pixelWidth == 1 && pixelHeight == 1 {
        for x in 0..<min(width, alpha.count) { alpha[x] = max(alpha[x], pixels[y * width + x]) }
        return
      }
      let positionY = max(0, (Double(y) + 0.5) / pixelHeight - 0.5)
      let top = min(Int(positionY), mask.height - 1)
      let bottom = min(top + 1, mask.height - 1)
      let fractionY = Float(positionY - Double(top))
      for x in alpha.indices {
        let positionX = max(0, (Double(x) + 0.5) / pixelWidth - 0.5)
        let left = min(Int(positionX), width - 1)
        let right = min(left + 1, width - 1)
        let fractionX = Float(positionX - Double(left))
        func column(_ x: Int) -> Float {
          let above = Float(pixels[top * width + x])
          return above + (Float(pixels[bottom * width + x]) - above) * min(fractionY, 1)
        }
        let start = column(left)
        let value = start + (column(right) - start) * min(fractionX, 1)
        alpha[x] = max(alpha[x], UInt8(value.rounded()))
      }
    }
  }
}
