import SamImageIO

/// A point of an outline, in pixels from the picture's upper left corner; whole numbers are the
/// corners between pixels.
public struct OutlinePoint: Sendable, Hashable {
  /// Pixels from the left edge.
  public var x: Double
  /// Pixels from the upper edge.
  public var y: Double

  /// Creates a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A closed line round a piece of a mask, or round a hole in it; the last point joins the first.
public struct OutlineRing: Sendable, Hashable {
  /// At least three points, none of them twice in a row.
  public let points: [OutlinePoint]

  init(_ points: [OutlinePoint]) {
    self.points = points
  }

  /// The enclosed area in pixels: positive for outlines of pieces, negative for holes.
  public var signedArea: Double {
    var sum = 0.0
    var previous = points[points.count - 1]
    for point in points {
      sum += previous.x * point.y - point.x * previous.y
      previous = point
    }
    return sum / 2
  }
}

/// One connected piece of a mask.
public struct OutlinePolygon: Sendable, Hashable {
  /// The line round it.
  public var outer: OutlineRing
  /// The lines round its holes.
  public var holes: [OutlineRing]

  /// Its area in pixels, holes taken out.
  public var area: Double { holes.reduce(outer.signedArea) { $0 + $1.signedArea } }
}

/// A mask as polygons with holes.
///
/// Pixels that touch at a corner belong to one piece (eight neighbours); holes are connected by sides
/// only. Every piece and every hole has its ring.
public struct MaskOutline: Sendable, Hashable {
  /// Width of the picture, in pixels.
  public let width: Int
  /// Height of the picture, in pixels.
  public let height: Int
  /// How far a simplified line may lie from the pixels' own, in pixels.
  public let tolerance: Double
  /// The pieces, in the order of their first pixels, row by row.
  public let polygons: [OutlinePolygon]
  /// Rings that had fewer than three points left after simplification, and are not among `polygons`.
  ///
  /// Where the ring of a piece goes, its holes go with it.
  public let droppedRings: Int

  init(
    width: Int, height: Int, tolerance: Double, polygons: [OutlinePolygon], droppedRings: Int
  ) {
    self.width = width
    self.height = height
    self.tolerance = tolerance
    self.polygons = polygons
    self.droppedRings = droppedRings
  }

  /// Traces a gray mask (128 and above is inside) and simplifies the lines.
  ///
  /// Linear in the pixels and in the length of the outlines.
  ///
  /// - Throws: ``EditingError/invalidOption(name:value:wanted:)`` for a tolerance that is not one.
  package init(_ mask: PixelImage, tolerance: Double) throws(EditingError) {
    guard (0...10_000).contains(tolerance) else {
      throw .invalidOption(
        name: "tolerance", value: "\(tolerance)", wanted: "a number from 0 to 10000")
    }
    let traced = TracedRings(mask)
    var dropped = 0
    var polygons: [OutlinePolygon] = []
    // A piece's holes come after it in no fixed order: they find it by its number.
    var places = [Int?](repeating: nil, count: traced.pieceCount)
    for ring in traced.rings where !ring.isHole {
      if let points = simplified(ring.points, tolerance: tolerance) {
        places[ring.piece] = polygons.count
        polygons.append(OutlinePolygon(outer: OutlineRing(points), holes: []))
      } else {
        dropped += 1
      }
    }
    for ring in traced.rings where ring.isHole {
      if let place = places[ring.piece],
        let points = simplified(ring.points, tolerance: tolerance)
      {
        polygons[place].holes.append(OutlineRing(points))
      } else {
        dropped += 1
      }
    }
    self.init(
      width: mask.width, height: mask.height, tolerance: tolerance, polygons: polygons,
      droppedRings: dropped)
  }

  /// Every ring, pieces and holes.
  public var rings: [OutlineRing] { polygons.flatMap { [$0.outer] + $0.holes } }
}
