/// How closely the outlines of masks follow the outline of a truth.
///
/// The boundary F-score: the harmonic mean of precision (the share of the mask's outline that runs
/// within a tolerance of the true one) and recall (the share of the true outline that has the
/// mask's within the tolerance). The tolerance is the one of the DAVIS benchmark, 0.8 % of the
/// picture's diagonal, rounded up to whole pixels.
package struct BoundaryScore: Sendable {
  /// In pixels.
  package let tolerance: Int
  private let truth: Outline
  private let neighbourhood: [Bool]

  /// Prepares the truth, with the tolerance for its size.
  ///
  /// Cost: one pass, and a disc for every pixel of the outline.
  package init(truth: BinaryMask) {
    let diagonal = Double(truth.width * truth.width + truth.height * truth.height).squareRoot()
    self.init(truth: truth, tolerance: Int((0.008 * diagonal).rounded(.up)))
  }

  /// Prepares the truth for a tolerance in pixels.
  package init(truth: BinaryMask, tolerance: Int) {
    self.tolerance = tolerance
    self.truth = Outline(truth)
    neighbourhood = self.truth.widened(by: tolerance)
  }

  /// The F-score of a mask of the same picture, 0...1.
  ///
  /// A mask without an outline scores 1 where the truth has none either, else 0.
  package func callAsFunction(_ mask: BinaryMask) -> Double {
    precondition(
      mask.width == truth.width && mask.height == truth.height,
      "masks of different pictures cannot be compared")
    let outline = Outline(mask)
    guard !outline.pixels.isEmpty && !truth.pixels.isEmpty else {
      return outline.pixels.isEmpty && truth.pixels.isEmpty ? 1 : 0
    }
    let precision = outline.share(in: neighbourhood)
    let recall = truth.share(in: outline.widened(by: tolerance))
    return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0
  }

  /// The pixels inside a mask that have a neighbour outside: above, below, left or right.
  ///
  /// The picture's own edge is no outline: an object that it cuts goes on behind it.
  private struct Outline: Sendable {
    let width: Int
    let height: Int
    /// Indices, in order.
    let pixels: [Int]

    init(_ mask: BinaryMask) {
      (width, height) = (mask.width, mask.height)
      var pixels: [Int] = []
      mask.bytes.withUnsafeBufferPointer { bytes in
        let (width, height) = (mask.width, mask.height)
        for y in 0..<height {
          for i in y * width..<(y + 1) * width where bytes[i] != 0 {
            let x = i - y * width
            if (x > 0 && bytes[i - 1] == 0) || (x + 1 < width && bytes[i + 1] == 0)
              || (y > 0 && bytes[i - width] == 0) || (y + 1 < height && bytes[i + width] == 0)
            {
              pixels.append(i)
            }
          }
        }
      }
      self.pixels = pixels
    }

    /// Whether each pixel of the picture lies within a distance of the outline.
    func widened(by distance: Int) -> [Bool] {
      // Half the length of a disc's chord, for each row of it.
      let chords = (-distance...distance).map { dy in
        Int(Double(distance * distance - dy * dy).squareRoot())
      }
      var isNear = [Bool](repeating: false, count: width * height)
      isNear.withUnsafeMutableBufferPointer { isNear in
        for pixel in pixels {
          let (y, x) = pixel.quotientAndRemainder(dividingBy: width)
          for row in max(0, y - distance)...min(height - 1, y + distance) {
            let chord = chords[row - y + distance]
            let start = row * width
            for i in start + max(0, x - chord)...start + min(width - 1, x + chord) {
              isNear[i] = true
            }
          }
        }
      }
      return isNear
    }

    /// The share of the outline's pixels at which `isNear` is true.
    func share(in isNear: [Bool]) -> Double {
      Double(pixels.reduce(0) { $0 + (isNear[$1] ? 1 : 0) }) / Double(pixels.count)
    }
  }
}
