import SamImageIO

/// A gray mask laid over a picture of another size.
package struct AlphaLayer: Sendable {
  package var mask: PixelImage
  /// Pixels of the picture that one pixel of the mask is wide and high.
  package var pixelWidth: Double
  package var pixelHeight: Double

  package init(mask: PixelImage, pixelWidth: Double = 1, pixelHeight: Double = 1) {
    self.mask = mask
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
  }
}

extension AlphaLayer {
  /// The largest of the layers' values at each pixel of a picture of that size; gray.
  ///
  /// Layers smaller than the picture are enlarged bilinearly. Without layers every value is 0.
  ///
  /// - Throws: ``EditingError/notGray(what:channels:)``, or
  ///   ``EditingError/sizeMismatch(what:wantedWidth:wantedHeight:actualWidth:actualHeight:)`` for a
  ///   layer that does not cover the picture.
  package static func union(
    _ layers: [AlphaLayer], width: Int, height: Int, loop: RowLoop = .serial
  ) throws(EditingError) -> PixelImage {
    for layer in layers { try layer.check(width: width, height: height) }
    if layers.count == 1, layers[0].isOfPicturesSize { return layers[0].mask }
    let pixels: [UInt8] = loop.plane(rows: height, length: width) { rows, first in
      first.initialize(repeating: 0, count: rows.count * width)
      for layer in layers { layer.raise(first, rows: rows, width: width) }
    }
    return PixelImage(width: width, height: height, channels: 1, pixels: pixels)
  }

  private var isOfPicturesSize: Bool { pixelWidth == 1 && pixelHeight == 1 }

  private func check(width: Int, height: Int) throws(EditingError) {
    guard mask.channels == 1 else { throw .notGray(what: "a mask", channels: mask.channels) }
    let covered = (
      width: Double(mask.width) * pixelWidth, height: Double(mask.height) * pixelHeight
    )
    // A smaller mask's last column may stand for part of a column's width only.
    guard abs(covered.width - Double(width)) < max(1, pixelWidth),
      abs(covered.height - Double(height)) < max(1, pixelHeight)
    else {
      throw .sizeMismatch(
        what: "a mask for a picture", wantedWidth: width, wantedHeight: height,
        actualWidth: Int(covered.width.rounded()), actualHeight: Int(covered.height.rounded()))
    }
  }

  /// Raises rows of the picture to the mask's values where those are larger.
  private func raise(_ first: UnsafeMutablePointer<UInt8>, rows: Range<Int>, width: Int) {
    mask.pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      if isOfPicturesSize {
        for (index, y) in rows.enumerated() {
          let source = base + y * width
          let target = first + index * width
          for x in 0..<width { target[x] = max(target[x], source[x]) }
        }
        return
      }
      let columns = BilinearColumns(from: mask.width, step: pixelWidth, count: width)
      let blended = Scratch<Float>(mask.width + 1)
      for (index, y) in rows.enumerated() {
        let position = max(0, (Double(y) + 0.5) / pixelHeight - 0.5)
        let top = min(Int(position), mask.height - 1)
        let fraction = Float(min(1, position - Double(top)))
        let above = base + top * mask.width
        let below = base + min(top + 1, mask.height - 1) * mask.width
        for x in 0..<mask.width {
          let value = Float(above[x])
          blended.base[x] = value + (Float(below[x]) - value) * fraction
        }
        // The last column is its own right neighbour.
        blended.base[mask.width] = blended.base[mask.width - 1]
        columns.raise(first + index * width, to: blended.base)
      }
    }
  }
}

/// Where the columns of an enlarged row come from.
private struct BilinearColumns {
  private var left: [Int32]
  private var fraction: [Float]

  init(from sourceCount: Int, step: Double, count: Int) {
    left = []
    fraction = []
    left.reserveCapacity(count)
    fraction.reserveCapacity(count)
    for x in 0..<count {
      let position = max(0, (Double(x) + 0.5) / step - 0.5)
      let index = min(Int(position), sourceCount - 1)
      left.append(Int32(index))
      fraction.append(Float(min(1, position - Double(index))))
    }
  }

  func raise(_ row: UnsafeMutablePointer<UInt8>, to source: UnsafePointer<Float>) {
    left.withUnsafeBufferPointer { left in
      fraction.withUnsafeBufferPointer { fraction in
        for x in left.indices {
          let index = Int(left[x])
          let start = source[index]
          let value = start + (source[index + 1] - start) * fraction[x]
          row[x] = max(row[x], UInt8(truncatingIfNeeded: Int32(value + 0.5)))
        }
      }
    }
  }
}
