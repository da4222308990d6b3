import SamEditing
import SamImageIO
import Testing

struct MaskOutlineTests {
  private func outline(_ image: PixelImage, _ tolerance: Double = 0) throws -> MaskOutline {
    try MaskOutline(image, tolerance: tolerance)
  }

  /// The pixels whose centres lie inside the rings by the even-odd rule.
  private func filled(_ rings: [[OutlinePoint]], width: Int, height: Int) -> PixelImage {
    maskImage(width: width, height: height) { column, row in
      let x = Double(column) + 0.5
      let y = Double(row) + 0.5
      var isInside = false
      for ring in rings {
        var previous = ring[ring.count - 1]
        for point in ring {
          if (point.y > y) != (previous.y > y) {
            // From the upper end, so that a line there and back is crossed twice at one place.
            let (a, b) = point.y < previous.y ? (point, previous) : (previous, point)
            let crossing = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)
            if crossing > x { isInside.toggle() }
          }
          previous = point
        }
      }
      return isInside
    }
  }

  @Test func onePixelIsASquare() throws {
    let outline = try outline(drawn("...", ".#.", "..."))
    let square = [(1, 1), (2, 1), (2, 2), (1, 2)].map { OutlinePoint(x: $0.0, y: $0.1) }
    #expect(outline.polygons.count == 1)
    #expect(Set(outline.polygons[0].outer.points) == Set(square))
    #expect(outline.polygons[0].area == 1)
  }

  @Test(arguments: TestMask.allCases) func unsimplifiedRingsFillTheMask(_ mask: TestMask) throws {
    let image = mask.image
    let outline = try outline(image)
    let rings = outline.rings.map(\.points)
    #expect(filled(rings, width: image.width, height: image.height) == image)
    #expect(outline.polygons.reduce(0) { $0 + $1.area } == Double(mask.area))
    #expect(outline.droppedRings == 0)
  }

  @Test(arguments: 1...6) func unsimplifiedRingsFillNoise(_ seed: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(seed))
    let image = maskImage(width: 41, height: 29) { _, _ in numbers.next() % 7 < UInt64(seed) }
    let outline = try outline(image)
    #expect(filled(outline.rings.map(\.points), width: 41, height: 29) == image)
    for polygon in outline.polygons {
      #expect(polygon.outer.signedArea > 0)
      #expect(polygon.holes.allSatisfy { $0.signedArea < 0 })
    }
    let single = outline.singleRing
    #expect(filled([single], width: 41, height: 29) == image)
  }

  @Test func piecesThatTouchAtACornerAreOne() throws {
    let outline = try outline(drawn("#..", ".#.", "..#"))
    #expect(outline.polygons.count == 1)
    #expect(outline.polygons[0].area == 3)
  }

  @Test func holesThatTouchAtACornerAreTwo() throws {
    let outline = try outline(drawn("####", "#.##", "##.#", "####"))
    #expect(outline.polygons.count == 1)
    #expect(outline.polygons[0].holes.count == 2)
  }

  @Test func everyHoleBelongsToThePieceRoundIt() throws {
    // A ring, an island in its hole with a hole of its own, and a ring beside them.
    let outline = try outline(
      drawn(
        "#########.###", "#.......#.#.#", "#.#####.#.###", "#.#...#.#....", "#.#####.#....",
        "#.......#....", "#########...."))
    #expect(outline.polygons.map(\.holes.count) == [1, 1, 1])
    #expect(outline.polygons.map(\.area) == [28, 8, 12])
  }

  @Test func anEmptyMaskHasNoPolygons() throws {
    let outline = try outline(TestMask.empty.image, 1)
    #expect(outline.polygons.isEmpty && outline.droppedRings == 0)
    #expect(outline.singleRing.isEmpty)
  }

  private let disc = maskImage(width: 120, height: 110) { x, y in
    let outer = (x - 60) * (x - 60) + (y - 52) * (y - 52)
    return outer <= 45 * 45 && outer >= 20 * 20
  }

  @Test(arguments: [0.5, 1, 3]) func simplifiedLinesStayWithinTheTolerance(
    _ tolerance: Double
  ) throws {
    let exact = try outline(disc)
    let simple = try outline(disc, tolerance)
    #expect(simple.polygons.count == 1 && simple.polygons[0].holes.count == 1)
    for (ring, original) in zip(simple.rings, exact.rings) {
      #expect(ring.points.count < original.points.count)
      for point in original.points {
        let distance =
          ring.points.indices.map { index in
            Self.distance(point, ring.points[index], ring.points[(index + 1) % ring.points.count])
          }.min() ?? .infinity
        #expect(distance <= tolerance + 1e-9)
      }
    }
  }

  private static func distance(
    _ point: OutlinePoint, _ a: OutlinePoint, _ b: OutlinePoint
  ) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let along = ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy)
    let t = min(1, max(0, along))
    let (ex, ey) = (point.x - a.x - t * dx, point.y - a.y - t * dy)
    return (ex * ex + ey * ey).squareRoot()
  }

  @Test func ringsThatCollapseAreCounted() throws {
    // A block with a hole of one pixel, and an island of one pixel.
    let outline = try outline(
      drawn("######....", "######..#.", "##.###....", "######....", "######...."), 1)
    #expect(outline.polygons.count == 1)
    #expect(outline.polygons[0].holes.isEmpty)
    #expect(outline.droppedRings == 2)
  }

  @Test func aLongLineIsSimplifiedToo() throws {
    // A sawtooth of 9000 teeth.
    let image = maskImage(width: 9000, height: 6) { x, y in y >= 2 + x % 2 }
    let outline = try outline(image, 1.5)
    #expect(outline.polygons.count == 1)
    #expect(outline.polygons[0].outer.points.count < 40)
  }

  @Test(arguments: [-1, .nan, .infinity, 20_000]) func aToleranceOutOfRangeIsAnError(
    _ tolerance: Double
  ) {
    #expect(throws: EditingError.self) { try outline(TestMask.ring.image, tolerance) }
  }
}
