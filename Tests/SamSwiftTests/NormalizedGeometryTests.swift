import Foundation
import SamSwift
import Testing

struct NormalizedGeometryTests {
  let size = CGSize(width: 200, height: 100)

  @Test func pointsCountFromTheLowerLeft() {
    let point = NormalizedPoint(x: 0.25, y: 0.75)
    #expect(point.toImageCoordinates(size) == CGPoint(x: 50, y: 75))
    #expect(point.toImageCoordinates(size, origin: .lowerLeft) == CGPoint(x: 50, y: 75))
    #expect(point.toImageCoordinates(size, origin: .upperLeft) == CGPoint(x: 50, y: 25))
    #expect(point.verticallyFlipped() == NormalizedPoint(x: 0.25, y: 0.25))
    #expect(NormalizedPoint.zero.toImageCoordinates(size) == CGPoint.zero)
  }

  @Test func pointsOfAPictureBecomeNormalized() {
    let pixel = CGPoint(x: 50, y: 75)
    #expect(NormalizedPoint(imagePoint: pixel, in: size) == NormalizedPoint(x: 0.25, y: 0.75))
    let region = NormalizedRect(x: 0, y: 0.5, width: 0.5, height: 0.5)
    let inRegion = NormalizedPoint(imagePoint: pixel, in: size, normalizedTo: region)
    #expect(inRegion == NormalizedPoint(x: 0.5, y: 0.5))
    #expect(inRegion.toImageCoordinates(from: region, imageSize: size) == pixel)
    #expect(
      inRegion.toImageCoordinates(from: region, imageSize: size, origin: .upperLeft)
        == CGPoint(x: 50, y: 25))
  }

  @Test func rectanglesCountFromTheLowerLeft() {
    let rect = NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    #expect(
      rect.toImageCoordinates(size) == CGRect(x: 50, y: 50, width: 100, height: 25))
    #expect(
      rect.toImageCoordinates(size, origin: .upperLeft)
        == CGRect(x: 50, y: 25, width: 100, height: 25))
    #expect(
      rect.verticallyFlipped() == NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.25))
    #expect(rect.verticallyFlipped().verticallyFlipped() == rect)
    #expect(NormalizedRect.fullImage.cgRect == CGRect(x: 0, y: 0, width: 1, height: 1))
  }

  @Test func rectanglesOfAPictureBecomeNormalized() {
    let pixels = CGRect(x: 50, y: 50, width: 100, height: 25)
    let rect = NormalizedRect(imageRect: pixels, in: size)
    #expect(rect == NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25))
    let region = NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
    let inRegion = NormalizedRect(imageRect: pixels, in: size, normalizedTo: region)
    #expect(inRegion == NormalizedRect(x: 0, y: 0.5, width: 1, height: 0.5))
    #expect(inRegion.toImageCoordinates(from: region, imageSize: size) == pixels)
  }

  @Test func theyGoThroughJSON() throws {
    let rect = NormalizedRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4)
    let copy = try JSONDecoder().decode(
      NormalizedRect.self, from: JSONEncoder().encode(rect))
    #expect(copy == rect)
    let point = NormalizedPoint(x: 0.1, y: 0.2)
    #expect(
      try JSONDecoder().decode(NormalizedPoint.self, from: JSONEncoder().encode(point)) == point)
  }
}
