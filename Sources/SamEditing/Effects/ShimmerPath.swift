import SamImageIO
import Synchronization

/// The pixels near an outline that a travelling light can reach.
struct ShimmerPath: Sendable {
  /// A pixel near the outline.
  struct Place: Sendable {
    /// Which column of the canvas.
    let column: Int32
    /// How far round the outline it lies, 0..<65536.
    let phase: UInt16
    /// How much of the light it gets, 0...255.
    let strength: UInt8
    /// How white the light is there, 0...255.
    let whiteness: UInt8
  }

  /// The places of some rows to one side of the outline, and how many there are up to each row's end.
  private struct Band {
    var places: [Place] = []
    var ends: [Int] = []
  }

  /// Row by row.
  let places: [Place]
  /// Which places lie in each row: those from its element to before the next one.
  private let starts: [Int]

  /// Which places lie in a row.
  func places(ofRow y: Int) -> Range<Int> { starts[y]..<starts[y + 1] }

  /// Measures the surroundings of a mask's outline.
  ///
  /// - Parameters:
  ///   - mask: The object.
  ///   - width: How far the light reaches to both sides, as a standard deviation in pixels.
  ///   - offset: How far outside the outline it travels, in pixels.
  ///   - loop: How the rows are spread over threads; the result does not depend on it.
  init(_ mask: PixelImage, width: Float, offset: Float, loop: RowLoop) {
    let phases = OutlinePhases(mask)
    let reach = min(DistanceMap.farthest, Int((offset + width * 3.2).rounded(.up)) + 1)
    let bandHeight = 64
    let bandCount = (mask.height + bandHeight - 1) / bandHeight
    let found = Mutex([Band?](repeating: nil, count: 2 * bandCount))
    // Pixels outside are measured to the object, pixels inside to its surroundings.
    for (number, side) in [DistanceMap.Side.object, .surroundings].enumerated() {
      let flip: UInt8 = side == .object ? 0 : 255
      let map = DistanceMap(
        mask: mask.pixels, width: mask.width, height: mask.height, to: side, limit: reach,
        loop: loop)
      loop.bands(of: mask.height, height: bandHeight) { rows in
        let scratch = DistanceMap.RowScratch(map)
        let distances = Scratch<Float>(mask.width)
        let sites = Scratch<Int32>(mask.width)
        var band = Band()
        for y in rows {
          defer { band.ends.append(band.places.count) }
          guard map.reaches(row: y) else { continue }
          map.edgeDistances(ofRow: y, into: distances.base, scratch)
          map.nearestSites(ofRow: y, into: sites.base, scratch)
          mask.pixels.withUnsafeBufferPointer { pixels in
            for x in 0..<mask.width where pixels[y * mask.width + x] ^ flip < 128 {
              let site = sites.base[x]
              guard site >= 0, let phase = phases[Int(site)] else { continue }
              let outside = flip == 0 ? max(0, distances.base[x]) : -max(0, distances.base[x])
              // Towards the object, the light is half as wide.
              let t = abs(outside - offset) / (outside > offset ? width : width * 0.5)
              let strength = 0.6 * gaussian(t) + 0.4 * gaussian(t * 2.5)
              guard strength > 1 / 255 else { continue }
              band.places.append(
                Place(
                  column: Int32(truncatingIfNeeded: x), phase: phase,
                  strength: UInt8(strength * 255), whiteness: UInt8(255 * gaussian(t * 2))))
            }
          }
        }
        // What it grew into is given back.
        band.places = band.places.map(\.self)
        found.withLock { $0[number * bandCount + rows.lowerBound / bandHeight] = band }
      }
    }
    let bands = found.withLock { $0 }
    var places: [Place] = []
    places.reserveCapacity(bands.reduce(0) { $0 + ($1?.places.count ?? 0) })
    var starts = [0]
    starts.reserveCapacity(mask.height + 1)
    for y in 0..<mask.height {
      let (band, row) = y.quotientAndRemainder(dividingBy: bandHeight)
      for case let band? in [bands[band], bands[bandCount + band]] {
        places += band.places[(row == 0 ? 0 : band.ends[row - 1])..<band.ends[row]]
      }
      starts.append(places.count)
    }
    self.places = places
    self.starts = starts
  }
}

/// How far round the outline each pixel beside it lies.
private struct OutlinePhases {
  /// 1 more than the phase, at most 65535; 0 where there is none.
  private var phases: [UInt16]

  /// Rings shorter than this share of the longest get no light: it would only flicker there.
  private static let shortest = 0.1

  subscript(index: Int) -> UInt16? {
    phases[index] > 0 ? phases[index] - 1 : nil
  }

  init(_ mask: PixelImage) {
    phases = [UInt16](repeating: 0, count: mask.width * mask.height)
    let rings = TracedRings(mask).rings.map { UnitSteps($0.points) }
    let longest = rings.map(\.length).max() ?? 0
    for ring in rings where ring.length >= longest * Self.shortest {
      ring.forEach { x, y, phase in
        guard x >= 0, y >= 0, x < mask.width, y < mask.height else { return }
        phases[y * mask.width + x] = max(phase, phase &+ 1)
      }
    }
  }
}

/// A ring as steps of one pixel's side.
private struct UnitSteps {
  /// Where each step begins.
  private let corners: [Corner]
  /// How long the line is up to each step.
  private let lengths: [Double]
  /// How long the whole line is.
  let length: Double

  /// A slanted line is made of steps along two axes; its length is measured over this many of them.
  private static let span = 8

  init(_ ring: [Corner]) {
    var corners: [Corner] = []
    for (index, corner) in ring.enumerated() {
      let next = ring[(index + 1) % ring.count]
      var place = corner
      while place != next {
        corners.append(place)
        place.x += (next.x - place.x).signum()
        place.y += (next.y - place.y).signum()
      }
    }
    var lengths: [Double] = []
    lengths.reserveCapacity(corners.count)
    var length = 0.0
    for index in corners.indices {
      lengths.append(length)
      let end = corners[(index + Self.span) % corners.count]
      let dx = Double(end.x - corners[index].x)
      let dy = Double(end.y - corners[index].y)
      length += (dx * dx + dy * dy).squareRoot() / Double(Self.span)
    }
    self.corners = corners
    self.lengths = lengths
    self.length = length
  }

  /// Calls `body` with the pixels on both sides of each step, and how far round they are.
  func forEach(_ body: (_ x: Int, _ y: Int, _ phase: UInt16) -> Void) {
    for index in corners.indices {
      let a = corners[index]
      let b = corners[(index + 1) % corners.count]
      let phase = UInt16(min(65_535, lengths[index] / max(length, 1e-9) * 65_536))
      // The step's left or upper end; on its two sides lie the pixel there and the one before.
      let x = Int(min(a.x, b.x))
      let y = Int(min(a.y, b.y))
      body(x, y, phase)
      if a.y == b.y { body(x, y - 1, phase) } else { body(x - 1, y, phase) }
    }
  }
}
