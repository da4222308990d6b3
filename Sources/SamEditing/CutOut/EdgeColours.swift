import SamImageIO

/// Takes the background out of the pixels at an object's edge.
///
/// There a pixel I is a blend αF + (1 − α)B of the object's colour F and the background's colour B, and
/// the mask's line is off by a pixel or two besides. Nearby pixels that are surely object or surely
/// background give the mean and variance of F and B; α is then the most probable share given the
/// pixel's colour and the mask, and F the most probable colour given α (a Gaussian model of each, as
/// in Bayesian matting, with box windows instead of clusters). Window sums run along columns and
/// rows: time is linear in the pixels whatever the window's size.
struct EdgeColours: Sendable {
  /// Half the width of the band round the mask's line that is looked at, in pixels.
  let reach: Int

  /// The largest band that ``windowRadius`` and the sums' 32 bits allow for.
  static let farthest = 9

  /// Sure pixels are at most `2 · reach` away from any pixel of the band.
  private var windowRadius: Int { 2 * reach + 2 }

  /// How far the colours may move α away from the mask at its very line, as a standard deviation.
  private static let trust: Float = 0.45
  /// Variance of a colour channel that even a flat surface has: noise, and JPEG.
  private static let noise: Float = 40

  init(reach: Int) {
    precondition((1...Self.farthest).contains(reach), "a band of \(reach) pixels is out of range")
    self.reach = reach
  }

  /// Separates the object that `alpha` shows from its background.
  func subject(of picture: PixelImage, alpha: [UInt8], loop: RowLoop) -> Subject {
    let width = picture.width
    let plain = Subject(picture, alpha: alpha)
    let band = EdgeBand(
      alpha: alpha, width: width, height: picture.height, reach: reach, loop: loop)
    guard !band.rows.isEmpty else { return plain }
    var colours = plain.colours
    var covers = alpha
    colours.withUnsafeMutableBufferPointer { colourBuffer in
      covers.withUnsafeMutableBufferPointer { coverBuffer in
        guard let colourBase = colourBuffer.baseAddress, let coverBase = coverBuffer.baseAddress
        else { return }
        let newColours = SharedMemory(colourBase)
        let newCovers = SharedMemory(coverBase)
        let top = band.rows.lowerBound
        loop.bands(of: band.rows.count, height: 128) { rows in
          plain.colours.withUnsafeBufferPointer { oldColours in
            alpha.withUnsafeBufferPointer { oldCovers in
              band.classes.withUnsafeBufferPointer { classes in
                let worker = Worker(
                  band: band, radius: windowRadius, reach: reach, colours: oldColours,
                  covers: oldCovers, classes: classes)
                worker.run(
                  rows.lowerBound + top..<rows.upperBound + top, newColours.base, newCovers.base)
              }
            }
          }
        }
      }
    }
    return Subject(width: width, height: picture.height, colours: colours, alpha: covers)
  }

  /// Window sums of one class of pixels: weighted red, green, blue, a quarter of the squares, weight.
  private typealias Sums = SIMD8<Int32>

  private struct Worker {
    let band: EdgeBand
    let radius: Int
    let reach: Int
    let colours: UnsafeBufferPointer<UInt8>
    let covers: UnsafeBufferPointer<UInt8>
    let classes: UnsafeBufferPointer<UInt8>

    /// Columns that a window of the band reaches.
    private var columns: Range<Int> {
      max(
        0, band.columns.lowerBound - radius)..<min(
          band.width, band.columns.upperBound + radius)
    }

    func run(
      _ rows: Range<Int>, _ newColours: UnsafeMutablePointer<UInt8>,
      _ newCovers: UnsafeMutablePointer<UInt8>
    ) {
      let columns = columns
      let objects = Scratch<Sums>(columns.count)
      let others = Scratch<Sums>(columns.count)
      objects.base.initialize(repeating: .zero, count: columns.count)
      others.base.initialize(repeating: .zero, count: columns.count)
      func add(_ y: Int, _ sign: Int32) {
        guard y >= 0, y < band.height else { return }
        addRow(y, sign, objects.base, others.base)
      }
      for y in rows.lowerBound - radius..<rows.lowerBound + radius { add(y, 1) }
      for y in rows {
        add(y + radius, 1)
        estimateRow(y, objects.base, others.base, newColours, newCovers)
        add(y - radius, -1)
      }
    }

    /// Adds a row to the column sums, or with sign −1 takes it away.
    private func addRow(
      _ y: Int, _ sign: Int32, _ objects: UnsafeMutablePointer<Sums>,
      _ others: UnsafeMutablePointer<Sums>
    ) {
      let start = columns.lowerBound
      for x in columns {
        let index = y * band.width + x
        let kind = classes[index]
        var weight = 16 * sign
        var isObject = kind == EdgeBand.object
        if !isObject && kind != EdgeBand.surroundings {
          // Where an object is thinner than the band nothing is sure: there the mask is believed.
          let cover = covers[index]
          guard cover < 40 || cover > 215 else { continue }
          isObject = cover > 215
          weight = sign
        }
        let red = Int32(colours[index * 3])
        let green = Int32(colours[index * 3 + 1])
        let blue = Int32(colours[index * 3 + 2])
        let squares = (red &* red &+ green &* green &+ blue &* blue) >> 2
        let addend = Sums(red, green, blue, squares, 1, 0, 0, 0) &* weight
        if isObject { objects[x - start] &+= addend } else { others[x - start] &+= addend }
      }
    }

    private func estimateRow(
      _ y: Int, _ objects: UnsafePointer<Sums>, _ others: UnsafePointer<Sums>,
      _ newColours: UnsafeMutablePointer<UInt8>, _ newCovers: UnsafeMutablePointer<UInt8>
    ) {
      let columns = columns
      let start = columns.lowerBound
      var object = Sums.zero
      var other = Sums.zero
      for x in start..<min(start + radius, columns.upperBound) {
        object &+= objects[x - start]
        other &+= others[x - start]
      }
      for x in columns {
        if x + radius < columns.upperBound {
          object &+= objects[x + radius - start]
          other &+= others[x + radius - start]
        }
        let index = y * band.width + x
        let kind = classes[index]
        if kind != EdgeBand.object, kind != EdgeBand.surroundings {
          estimate(index, kind, object, other, newColours + index * 3, newCovers + index)
        }
        if x - radius >= start {
          object &-= objects[x - radius - start]
          other &-= others[x - radius - start]
        }
      }
    }

    private func estimate(
      _ index: Int, _ kind: UInt8, _ objectSums: Sums, _ otherSums: Sums,
      _ newColour: UnsafeMutablePointer<UInt8>, _ newCover: UnsafeMutablePointer<UInt8>
    ) {
      // Nothing to compare with: the pixel stays as it is.
      guard let object = ColourModel(objectSums), let other = ColourModel(otherSums) else {
        return
      }
      let colour = SIMD4<Float>(
        Float(colours[index * 3]), Float(colours[index * 3 + 1]), Float(colours[index * 3 + 2]), 0)
      let given = Float(covers[index]) * (1 / 255)
      let contrast = object.mean - other.mean
      let fromOther = colour - other.mean
      let squared = (contrast * contrast).sum()
      let share = min(1, max(0, (fromOther * contrast).sum() / max(squared, 1)))
      let evidence = squared / (object.variance + other.variance + EdgeColours.noise)
      // At the band's rim the mask is right.
      let nearness = 1 - Float(kind - 1) / Float(reach + 1)
      let deviation = EdgeColours.trust * nearness
      let prior = 1 / (deviation * deviation)
      let cover = (share * evidence + given * prior) / (evidence + prior)
      // A trace of either side is noise more often than hair.
      let cleaned = min(1, max(0, (cover - 0.06) / 0.88))
      newCover.pointee = UInt8(truncatingIfNeeded: Int32(cleaned * 255 + 0.5))
      let rest = colour - object.mean * cleaned - other.mean * (1 - cleaned)
      let objectVariance = object.variance + EdgeColours.noise
      let otherVariance = other.variance + EdgeColours.noise
      let gain =
        cleaned * objectVariance
        / (cleaned * cleaned * objectVariance + (1 - cleaned) * (1 - cleaned) * otherVariance)
      let clean = object.mean + rest * gain
      for channel in 0..<3 {
        newColour[channel] = UInt8(
          truncatingIfNeeded: Int32(min(255, max(0, clean[channel])) + 0.5))
      }
    }
  }

  /// Mean and variance of the colours of one class in a window.
  private struct ColourModel {
    let mean: SIMD4<Float>
    /// Of one channel, the mean of the three.
    let variance: Float

    /// nil for an empty window.
    init?(_ sums: Sums) {
      guard sums[4] > 0 else { return nil }
      let values = SIMD4<Float>(sums.lowHalf) / Float(sums[4])
      mean = SIMD4(values.x, values.y, values.z, 0)
      variance = max(0, values.w * 4 - (mean * mean).sum()) / 3
    }
  }
}
