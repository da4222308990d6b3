import Foundation
import SamEditing
import SamImageIO
import Testing

struct ExportTests {
  /// A frame with a hole, and an island.
  private let mask = drawn("####...", "#..#..#", "####...")

  private func outline() throws -> MaskOutline { try MaskOutline(mask, tolerance: 0) }

  private func json(_ value: some Encodable) throws -> NSDictionary {
    let data = try JSONEncoder().encode(value)
    return try #require(JSONSerialization.jsonObject(with: data) as? NSDictionary)
  }

  @Test func svgHasOnePathForEverything() throws {
    let text = try outline().svg()
    #expect(
      text == """
        <svg xmlns="http://www.w3.org/2000/svg" width="7" height="3" viewBox="0 0 7 3">
        <path fill="#000000" fill-rule="evenodd" \
        d="M4 0V3H0V0ZM3 2V1H1V2ZM7 1V2H6V1Z"/>
        </svg>

        """)
  }

  @Test func anSVGColourMayBeSeenThrough() throws {
    let text = try outline().svg(fill: SamColor(red: 255, green: 0, blue: 0, alpha: 51))
    #expect(text.contains("fill=\"#ff0000\" fill-opacity=\"0.2\""))
  }

  @Test func geoJSONKeepsHolesAndClosesRings() throws {
    let feature = try json(GeoJSONFeature(outline(), properties: ["label": "frame"]))
    #expect(
      feature == [
        "type": "Feature", "properties": ["label": "frame"],
        "geometry": [
          "type": "MultiPolygon",
          "coordinates": [
            [
              [[4, 0], [4, 3], [0, 3], [0, 0], [4, 0]],
              [[3, 2], [3, 1], [1, 1], [1, 2], [3, 2]],
            ],
            [[[7, 1], [7, 2], [6, 2], [6, 1], [7, 1]]],
          ],
        ],
      ])
  }

  @Test func labelMeGroupsThePieces() throws {
    let file = try json(
      LabelMeFile(
        objects: [.init(label: "frame", outline: outline())], imagePath: "a.png", imageWidth: 7,
        imageHeight: 3))
    #expect(file["imagePath"] as? String == "a.png")
    #expect(file["imageWidth"] as? Int == 7 && file["imageHeight"] as? Int == 3)
    #expect(file["imageData"] is NSNull)
    let shapes = try #require(file["shapes"] as? [NSDictionary])
    #expect(shapes.map { $0["group_id"] as? Int } == [1, 1])
    #expect(shapes.map { $0["label"] as? String } == ["frame", "frame"])
    #expect(shapes.map { $0["shape_type"] as? String } == ["polygon", "polygon"])
    #expect(shapes[1]["points"] as? [[Int]] == [[7, 1], [7, 2], [6, 2], [6, 1]])
    // Four corners, there and back, and the hole's four with the first again.
    #expect((shapes[0]["points"] as? [[Int]])?.count == 4 + 1 + 5)
  }

  @Test func aYOLOLineHoldsShares() throws {
    let square = try MaskOutline(drawn("....", ".##.", ".##.", "....", "...."), tolerance: 0)
    #expect(square.yoloLine(category: 3) == "3 0.75 0.2 0.75 0.6 0.25 0.6 0.25 0.2")
    let line = try #require(try outline().yoloLine())
    // One line for both pieces and the hole.
    #expect(!line.contains("\n"))
    #expect(line.split(separator: " ").count == 1 + 2 * (4 + (1 + 5) + (1 + 5)))
  }

  @Test func cocoHasAreaBoxAndSegmentation() throws {
    let runs = MaskRuns(mask)
    let annotation = try json(COCOAnnotation(runs, id: 7, imageID: 8, categoryID: 9, score: 0.5))
    #expect(
      annotation == [
        "id": 7, "image_id": 8, "category_id": 9, "area": 11, "bbox": [0, 0, 7, 3], "iscrowd": 0,
        "score": 0.5, "segmentation": ["size": [3, 7], "counts": runs.compressed],
      ])
    let plain = try json(COCOAnnotation(runs, segmentation: .plainRunLengths(runs)))
    #expect(
      plain["segmentation"] as? NSDictionary
        == ["size": [3, 7], "counts": [0, 4, 1, 2, 1, 4, 7, 1, 1]])
    let polygons = try json(COCOAnnotation(runs, segmentation: .polygons(outline())))
    #expect((polygons["segmentation"] as? [[Int]])?.last == [7, 1, 7, 2, 6, 2, 6, 1])
  }

  @Test func aCOCOFileNamesPicturesAndCategories() throws {
    let file = try json(
      COCODataset(
        images: [.init(fileName: "a.png", width: 7, height: 3)], categories: [.init(name: "cup")],
        annotations: []))
    #expect(
      file == [
        "images": [["id": 1, "file_name": "a.png", "width": 7, "height": 3]],
        "categories": [["id": 1, "name": "cup"]], "annotations": [],
      ])
  }

  @Test func anEmptyMaskIsWrittenToo() throws {
    let empty = try MaskOutline(TestMask.empty.image, tolerance: 1)
    #expect(empty.svgPath.isEmpty)
    #expect(empty.yoloLine() == nil)
    let geometry = try #require(json(GeoJSONFeature(empty))["geometry"] as? NSDictionary)
    #expect(geometry["coordinates"] as? [[Int]] == [])
    let annotation = try json(
      COCOAnnotation(MaskRuns(TestMask.empty.image), segmentation: .polygons(empty)))
    #expect(annotation["bbox"] as? [Int] == [0, 0, 0, 0])
    #expect(annotation["segmentation"] as? [[Int]] == [])
  }
}
