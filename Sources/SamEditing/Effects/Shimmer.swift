import SamImageIO

/// A light that travels round an object's outline.
public struct Shimmer: Sendable, Hashable {
  /// The light's colour; its middle is white.
  public var color: SamColor
  /// Width of the light in pixels; 1/120 of the long side if nil.
  public var width: Double?
  /// The share of the outline that its tail takes up, 0...1.
  public var length: Double
  /// Pictures for one round.
  public var frameCount: Int
  /// How long each is shown, in milliseconds.
  public var millisecondsPerFrame: Int

  /// Creates a light.
  public init(
    color: SamColor = SamColor(red: 255, green: 214, blue: 140), width: Double? = nil,
    length: Double = 0.4, frameCount: Int = 36, millisecondsPerFrame: Int = 50
  ) {
    self.color = color
    self.width = width
    self.length = length
    self.frameCount = frameCount
    self.millisecondsPerFrame = millisecondsPerFrame
  }

  /// Checks the numbers.
  func check() throws(EditingError) {
    func fault(_ name: String, _ value: String, _ wanted: String) -> EditingError {
      .invalidOption(name: name, value: value, wanted: wanted)
    }
    guard (0...1000).contains(width ?? 1) else {
      throw fault("width", "\(width ?? 1)", "a number from 0 to 1000")
    }
    guard (0.01...1).contains(length) else {
      throw fault("length", "\(length)", "a number from 0.01 to 1")
    }
    guard (2...240).contains(frameCount) else {
      throw fault("frameCount", "\(frameCount)", "a whole number from 2 to 240")
    }
    guard (10...10_000).contains(millisecondsPerFrame) else {
      throw fault(
        "millisecondsPerFrame", "\(millisecondsPerFrame)", "a whole number from 10 to 10000")
    }
  }
}

/// The pixels near an outline that a travelling light can reach.
struct ShimmerPath: Sendable {
  /// A pixel near the outline.
  struct Place: Sendable {
    /// Which pixel of the canvas.
    let index: Int32
    /// How far round the outline it lies, 0..<65536.
    let phase: UInt16
    /// How much of the light it gets, 0...255.
    let strength: UInt8
    /// How white the light is there, 0...255.
    let whiteness: UInt8
  }

  /// Row by row.
  let places: [Place]

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
    let maps = [DistanceMap.Side.object, .surroundings].map { side in
      DistanceMap(
        mask: mask.pixels, width: mask.width, height: mask.height, to: side, limit: reach,
        loop: loop)
    }
    var places: [Place] = []
    let scratch = DistanceMap.RowScratch(maps[0])
    let distances = Scratch<Float>(mask.width)
    let sites = Scratch<Int32>(mask.width)
    for y in 0..<mask.height {
      let start = y * mask.width
      // Pixels outside are measured to the object, pixels inside to its surroundings.
      for (map, side) in zip(maps, [UInt8(0), 255]) {
        map.edgeDistances(ofRow: y, into: distances.base, scratch)
        map.nearestSites(ofRow: y, into: sites.base, scratch)
        for x in 0..<mask.width where mask.pixels[start + x] ^ side < 128 {
          let site = sites.base[x]
          guard site >= 0, let phase = phases[Int(site)] else { continue }
          let outside = side == 0 ? max(0, distances.base[x]) : -max(0, distances.base[x])
          // Towards the object, the light is half as wide.
          let t = abs(outside - offset) / (outside > offset ? width : width * 0.5)
          let strength = 0.6 * gaussian(t) + 0.4 * gaussian(t * 2.5)
          guard strength > 1 / 255 else { continue }
          places.append(
            Place(
              index: Int32(truncatingIfNeeded: start + x), phase: phase,
              strength: UInt8(strength * 255), whiteness: UInt8(255 * gaussian(t * 2))))
        }
      }
    }
    self.places = places
  }
}

/// How far round the outline each pixel beside it lies.
private struct OutlinePhases {
  /// 1 more than the phase; 0 where there is none.
  private var phases: [Int32]

  /// Rings shorter than this share of the longest get no light: it would only flicker there.
  private static let shortest = 0.1

  subscript(index: Int) -> UInt16? {
    phases[index] > 0 ? UInt16(truncatingIfNeeded: phases[index] - 1) : nil
  }

  init(_ mask: PixelImage) {
    phases = [Int32](repeating: 0, count: mask.width * mask.height)
    let rings = TracedRings(mask).rings.map { UnitSteps($0.points) }
    let longest = rings.map(\.length).max() ?? 0
    for ring in rings where ring.length >= longest * Self.shortest {
      ring.forEach { x, y, phase in
        guard x >= 0, y >= 0, x < mask.width, y < mask.height else { return }
        phases[y * mask.width + x] = Int32(phase) + 1
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
