import Foundation
import SamSwift
import Testing

/// What is made of segments that are known.
struct SegmentPicturesTests {
  /// A whole, its part, and a piece at the other end, on 6 × 4 pixels.
  private static let segments = Result {
    SamSegments(
      segments: [
        try segment(columns: 0..<4, rows: 0..<3, score: 0.9),
        try segment(columns: 1..<3, rows: 1..<2, score: 0.8),
        try segment(columns: 5..<6, rows: 0..<4, score: 0.7),
      ], imageWidth: 6, imageHeight: 4, timings: SamTimings())
  }

  private static func segment(
    columns: Range<Int>, rows: Range<Int>, score: Float
  ) throws -> SamSegment {
    var pixels = [UInt8](repeating: 0, count: 24)
    for y in rows { for x in columns { pixels[y * 6 + x] = 255 } }
    return SamSegment(
      runs: MaskRuns(PixelImage(width: 6, height: 4, channels: 1, pixels: pixels)),
      area: columns.count * rows.count,
      box: SamBox(
        x0: Double(columns.lowerBound), y0: Double(rows.lowerBound), x1: Double(columns.upperBound),
        y1: Double(rows.upperBound)), score: score, stability: 0.95,
      point: SamPoint(x: 1.5, y: 0.5), crop: SamBox(x0: 0, y0: 0, x1: 6, y1: 4))
  }

  @Test func partsLieOnTopOfTheirWholes() throws {
    #expect(
      try Self.segments.get().labels() == [
        1, 1, 1, 1, 0, 3,
        1, 2, 2, 1, 0, 3,
        1, 1, 1, 1, 0, 3,
        0, 0, 0, 0, 0, 3,
      ])
    let map = try Self.segments.get().labelMap()
    #expect(map.channels == 1 && map.pixels[7] == 2 && map.pixels[23] == 3)
  }

  @Test func manyLabelsAreNumbersInColour() throws {
    let one = try Self.segment(columns: 0..<6, rows: 0..<4, score: 1)
    let last = try Self.segment(columns: 2..<3, rows: 2..<3, score: 0.1)
    let map = SamSegments(
      segments: Array(repeating: one, count: 299) + [last], imageWidth: 6, imageHeight: 4,
      timings: SamTimings()
    ).labelMap()
    #expect(map.channels == 3)
    // 300 = 44 + 256 · 1; elsewhere the first of the equal ones is seen.
    #expect(Array(map[2, 2]) == [44, 1, 0])
    #expect(Array(map[0, 0]) == [1, 0, 0])
  }

  @Test func anOverlayTintsWhatIsInside() throws {
    let picture = PixelImage(width: 6, height: 4, channels: 3, repeating: 100)
    let overlay = try Self.segments.get().overlay(on: picture)
    #expect(overlay.width == 6 && overlay.height == 4 && overlay.channels == 3)
    // Far from any edge: the tint, and the picture.
    #expect(Array(overlay[0, 0]) != [100, 100, 100])
    #expect(Array(overlay[2, 3]) == [100, 100, 100])
    // On an edge: a line.
    #expect(Array(overlay[3, 0]) == [255, 255, 255])
    #expect(throws: SamSwiftError.self) {
      try Self.segments.get().overlay(
        on: PixelImage(width: 4, height: 6, channels: 1, repeating: 0))
    }
  }

  @Test func recordsAreThoseOfSAM() throws {
    let text = try Self.segments.get().recordsJSON(compressed: false)
    #expect(text.split(separator: "\n").count == 5)
    let records = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    let part = records[1]
    #expect(
      part.keys.sorted() == [
        "area", "bbox", "crop_box", "point_coords", "predicted_iou", "segmentation",
        "stability_score",
      ])
    #expect(part["area"] as? Int == 2)
    // SAM's box ends at the last pixel.
    #expect(part["bbox"] as? [Int] == [1, 1, 1, 0])
    #expect(part["crop_box"] as? [Int] == [0, 0, 6, 4])
    #expect(part["point_coords"] as? [[Double]] == [[1.5, 0.5]])
    let segmentation = try #require(part["segmentation"] as? [String: Any])
    #expect(segmentation["size"] as? [Int] == [4, 6])
    #expect(segmentation["counts"] as? [Int] == [5, 1, 3, 1, 14])
    let compressed = try Self.segments.get().records()[1]
    #expect(compressed.contains("\"counts\":\""))
    let counts = try #require(
      (JSONSerialization.jsonObject(with: Data(compressed.utf8)) as? [String: Any])
        .flatMap { $0["segmentation"] as? [String: Any] }?["counts"] as? String)
    #expect(
      try MaskRuns(width: 6, height: 4, compressed: counts).counts == [5, 1, 3, 1, 14])
  }
}
