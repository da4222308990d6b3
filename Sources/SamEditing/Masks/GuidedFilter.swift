import SamImageIO

/// The picture's side of a guided filter (He, Sun and Tang, 2013): colour statistics, made once.
///
/// In every window of the picture the mask is modelled as a linear function of the colour; where the
/// mask is unsure, it then follows the picture's edges. The statistics and the fits live on a small
/// grid of about two samples per cell of the decoder, whatever the picture's size (the "fast guided
/// filter"); the fits are enlarged row by row while they are applied to the full-size colours. Time
/// is linear in the pixels and does not depend on the radius; memory is 64 bytes per sample.
package final class GuidedFilter: Sendable {
  /// How the filter works.
  package struct Options: Sendable, Hashable {
    /// Half the window's side, in samples.
    package var radius: Int
    /// Colour variance (of channels 0...1) below which a window counts as flat.
    package var epsilon: Float

    package init(radius: Int, epsilon: Float = 1e-4) {
      precondition(radius >= 1 && epsilon > 0, "a window needs a radius, a variance a floor")
      self.radius = radius
      self.epsilon = epsilon
    }
  }

  package let picture: PixelImage
  /// Samples along each side.
  package let width: Int
  package let height: Int
  private let options: Options
  /// The picture at the samples: red, green, blue, 1; channels 0...1.
  private let colours: [SIMD4<Float>]
  /// Mean colour of each window.
  private let means: [SIMD4<Float>]
  /// Inverse of each window's colour covariance plus epsilon.
  private let inverses: [SymmetricMatrix]

  /// Measures a picture on `width × height` samples, each the mean of up to 4×4 pixels.
  package init(picture: PixelImage, width: Int, height: Int, options: Options) {
    precondition(
      (1...picture.width).contains(width) && (1...picture.height).contains(height),
      "\(width)×\(height) samples for a picture of \(picture.width)×\(picture.height)")
    self.picture = picture
    self.width = width
    self.height = height
    self.options = options
    colours = reducedColours(of: picture, width: width, height: height)
    let boxMean = BoxMean(width: width, height: height, radius: options.radius)
    means = boxMean(colours)
    // The six products of the channels, three to a plane.
    let mixed = boxMean(colours.map { $0.x * $0 })
    let rest = boxMean(
      colours.map { SIMD4($0.y * $0.y, $0.y * $0.z, $0.z * $0.z, 0) })
    var inverses = [SymmetricMatrix](repeating: SymmetricMatrix(), count: width * height)
    for i in inverses.indices {
      let mean = means[i]
      let covariance = SymmetricMatrix(
        xx: mixed[i].x - mean.x * mean.x + options.epsilon,
        xy: mixed[i].y - mean.x * mean.y,
        xz: mixed[i].z - mean.x * mean.z,
        yy: rest[i].x - mean.y * mean.y + options.epsilon,
        yz: rest[i].y - mean.y * mean.z,
        zz: rest[i].z - mean.z * mean.z + options.epsilon)
      inverses[i] = covariance.inverse
    }
    self.inverses = inverses
  }

  /// Fits `logits`, given at the samples, to the colours.
  package func fit(_ logits: [Float]) -> GuidedMask {
    precondition(logits.count == colours.count, "\(logits.count) logits for \(width)×\(height)")
    var products = colours
    for i in products.indices { products[i] *= GuidedMask.clamped(logits[i]) }
    let boxMean = BoxMean(width: width, height: height, radius: options.radius)
    // Lanes 0 to 2 become E[colour · logit], lane 3 E[logit] (the colours' fourth lane is 1).
    let moments = boxMean(products)
    var fits = moments
    for i in fits.indices {
      let mean = means[i]
      let moment = moments[i]
      var covariance = moment - mean * moment.w
      covariance.w = 0
      let slope = inverses[i].times(covariance)
      fits[i] = SIMD4(
        slope.x, slope.y, slope.z,
        moment.w - (slope.x * mean.x + slope.y * mean.y + slope.z * mean.z))
    }
    return GuidedMask(picture: picture, width: width, height: height, fits: boxMean(fits))
  }
}

/// A symmetric 3×3 matrix.
struct SymmetricMatrix: Sendable {
  var xx: Float = 1
  var xy: Float = 0
  var xz: Float = 0
  var yy: Float = 1
  var yz: Float = 0
  var zz: Float = 1

  /// The inverse; the matrix must be positive definite.
  ///
  /// By cofactors in double precision: a gray picture's covariance is singular but for epsilon.
  var inverse: SymmetricMatrix {
    let (a, b, c) = (Double(xx), Double(xy), Double(xz))
    let (d, e, f) = (Double(yy), Double(yz), Double(zz))
    let cofactorXX = d * f - e * e
    let cofactorXY = c * e - b * f
    let cofactorXZ = b * e - c * d
    let scale = 1 / (a * cofactorXX + b * cofactorXY + c * cofactorXZ)
    return SymmetricMatrix(
      xx: Float(cofactorXX * scale), xy: Float(cofactorXY * scale), xz: Float(cofactorXZ * scale),
      yy: Float((a * f - c * c) * scale), yz: Float((b * c - a * e) * scale),
      zz: Float((a * d - b * b) * scale))
  }

  /// The product with a vector's first three lanes.
  func times(_ v: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(
      xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z,
      xz * v.x + yz * v.y + zz * v.z, 0)
  }
}

/// The picture at `width × height` samples: red, green, blue (0...1) and 1.
///
/// Each sample is the mean of its pixels, of 16 of them spread evenly where it has more: the noise
/// that is left is far below epsilon, and a picture of 48 megapixels is not read whole.
private func reducedColours(of picture: PixelImage, width: Int, height: Int) -> [SIMD4<Float>] {
  let channels = picture.channels
  let hasColour = picture.hasColor
  var colours = [SIMD4<Float>](repeating: .zero, count: width * height)
  let columns = (0..<width).map { sampledPositions($0, of: width, over: picture.width) }
  picture.pixels.withUnsafeBufferPointer { pixels in
    for y in 0..<height {
      let rows = sampledPositions(y, of: height, over: picture.height)
      for x in 0..<width {
        var sum = SIMD4<Int>.zero
        for row in rows {
          for column in columns[x] {
            let start = (row * picture.width + column) * channels
            let red = Int(pixels[start])
            sum &+=
              hasColour
              ? SIMD4(red, Int(pixels[start + 1]), Int(pixels[start + 2]), 0)
              : SIMD4(red, red, red, 0)
          }
        }
        let count = Float(rows.count * columns[x].count)
        var colour = SIMD4<Float>(sum) / (255 * count)
        colour.w = 1
        colours[y * width + x] = colour
      }
    }
  }
  return colours
}

/// Up to four pixels of the `index`-th of `count` equal parts of a side of `length ≥ count` pixels.
private func sampledPositions(_ index: Int, of count: Int, over length: Int) -> [Int] {
  let start = index * length / count
  let end = max(start + 1, (index + 1) * length / count)
  let step = max(1, (end - start + 3) / 4)
  return Array(Swift.stride(from: start + (step - 1) / 2, to: end, by: step))
}
