import SamEditing
import SamImageIO

extension SamSegments {
  /// For each pixel the number of its segment, from 1 in the order of ``segments``; 0 where there is none.
  ///
  /// Row-major. Where masks overlap the smallest is seen, so that parts lie on top of their wholes.
  /// Cost: O(pixels + areas).
  public func labels() -> [Int32] {
    var labels = [Int32](repeating: 0, count: imageWidth * imageHeight)
    // Sorted is stable: of equal areas the one with the better score is painted last.
    let order = segments.indices.reversed().sorted { segments[$0].area > segments[$1].area }
    labels.withUnsafeMutableBufferPointer { labels in
      for index in order {
        segments[index].forEachRun { x, rows in
          for y in rows { labels[y * imageWidth + x] = Int32(index + 1) }
        }
      }
    }
    return labels
  }

  /// ``labels()`` as a picture: gray where there are 255 segments at most, else RGB.
  ///
  /// A colour stands for the number red + 256 · green + 65536 · blue, as in COCO's panoptic format.
  public func labelMap() -> PixelImage {
    let labels = labels()
    if segments.count <= 255 {
      return PixelImage(
        width: imageWidth, height: imageHeight, channels: 1,
        pixels: labels.map { UInt8(truncatingIfNeeded: $0) })
    }
    var pixels = [UInt8](repeating: 0, count: 3 * labels.count)
    for (i, label) in labels.enumerated() where label > 0 {
      for channel in 0..<3 {
        pixels[3 * i + channel] = UInt8(truncatingIfNeeded: label >> Int32(8 * channel))
      }
    }
    return PixelImage(width: imageWidth, height: imageHeight, channels: 3, pixels: pixels)
  }

  /// The picture with each segment tinted in a colour of its own and outlined; RGB.
  ///
  /// - Parameter image: The picture that was segmented; transparent parts are laid on white.
  /// - Returns: A picture of the same size.
  /// - Throws: ``SamSwiftError/sizeMismatch(wanted:actual:what:)`` for a picture of another size.
  public func overlay(on image: PixelImage) throws(SamSwiftError) -> PixelImage {
    guard image.width == imageWidth, image.height == imageHeight else {
      throw .sizeMismatch(
        wanted: "\(imageWidth)×\(imageHeight)", actual: "\(image.width)×\(image.height)",
        what: "the picture under an overlay")
    }
    var result = image.flattened().converted(toChannels: 3)
    let labels = labels()
    let tints = (0...segments.count).map(SegmentTint.init)
    let (width, height) = (imageWidth, imageHeight)
    // Lines grow with the picture, so that they show when it is shrunk.
    let reach = max(1, (max(width, height) + 500) / 1000)
    result.withUnsafeMutablePixels { pixels in
      for y in 0..<height {
        for x in 0..<width {
          let place = y * width + x
          let label = labels[place]
          let isEdge =
            (x + reach < width && labels[place + reach] != label)
            || (y + reach < height && labels[place + reach * width] != label)
          guard label > 0 || isEdge else { continue }
          tints[Int(label)].apply(to: &pixels, at: 3 * place, isEdge: isEdge)
        }
      }
    }
    return result
  }
}

/// The colour of a segment: neighbours in number are far apart in hue.
private struct SegmentTint {
  private let colour: (Int, Int, Int)
  /// How much of the colour is seen, of 256.
  private static let strength = 115

  init(_ number: Int) {
    // The golden angle: any few colours in a row are spread evenly round the circle.
    let hue = (Double(number) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1) * 6
    let lightness = [1.0, 0.75, 0.9][number % 3]
    func channel(_ offset: Double) -> Int {
      let place = (hue + offset).truncatingRemainder(dividingBy: 6)
      return Int(255 * lightness * min(1, max(0, abs(place - 3) - 1)))
    }
    colour = (channel(0), channel(4), channel(2))
  }

  func apply(to pixels: inout UnsafeMutableBufferPointer<UInt8>, at index: Int, isEdge: Bool) {
    let (red, green, blue) = colour
    let strength = Self.strength
    for (offset, value) in [red, green, blue].enumerated() {
      let old = Int(pixels[index + offset])
      // A line is white, over the tint.
      let new = isEdge ? 255 : old + (value - old) * strength / 256
      pixels[index + offset] = UInt8(truncatingIfNeeded: new)
    }
  }
}

extension SamSegment {
  /// Calls `body` with every run of pixels inside, cut at the columns' ends.
  func forEachRun(_ body: (_ x: Int, _ rows: Range<Int>) -> Void) {
    let height = runs.height
    var place = 0
    for (index, count) in runs.counts.enumerated() {
      if index % 2 == 1 {
        var start = place
        while start < place + count {
          let x = start / height
          let end = min(place + count, (x + 1) * height)
          body(x, start - x * height..<end - x * height)
          start = end
        }
      }
      place += count
    }
  }
}
