import Foundation
import SamEditing
import SamImageIO
import SamTestSupport
import Testing

/// COCO's own Python package reads our masks as we mean them.
struct PycocotoolsTests {
  private static let isThere = Python.has("pycocotools.mask")

  /// What pycocotools finds in an annotation's segmentation.
  private struct Finding: Decodable, Equatable {
    var area: Int
    var box: [Double]
    /// The mask's rows, one after another, as COCO run lengths of its transposed picture.
    var pixels: [Int]
  }

  private func read(_ annotation: COCOAnnotation, _ mask: PixelImage) throws -> Finding {
    let folder = try TemporaryFolder()
    let file = try folder.write(JSONEncoder().encode(annotation), as: "annotation.json")
    let script = """
      import json, sys
      import pycocotools.mask as m
      with open(sys.argv[1]) as f: s = json.load(f)["segmentation"]
      h, w = int(sys.argv[2]), int(sys.argv[3])
      if isinstance(s, list): s = m.merge(m.frPyObjects(s, h, w)) if s else {"size": [h, w], "counts": ""}
      elif isinstance(s["counts"], list): s = m.frPyObjects(s, h, w)
      pixels = m.decode(s).flatten().tolist() if s["counts"] else [0] * (h * w)
      print(json.dumps({"area": int(m.area(s)), "box": m.toBbox(s).tolist(), "pixels": pixels}))
      """
    let text = try Python.run(script, [file.path, "\(mask.height)", "\(mask.width)"])
    return try JSONDecoder().decode(Finding.self, from: Data(text.utf8))
  }

  private func wanted(_ mask: PixelImage) -> Finding {
    let runs = MaskRuns(mask)
    return Finding(
      area: runs.area, box: runs.box.map(Double.init), pixels: mask.pixels.map { $0 >= 128 ? 1 : 0 }
    )
  }

  private static var noise: PixelImage {
    var numbers = SeededNumbers(seed: 5)
    return maskImage(width: 67, height: 45) { _, _ in numbers.next() % 4 != 0 }
  }

  @Test(.enabled(if: isThere, "pycocotools is not installed"))
  func readsRunLengthsOfEveryShape() throws {
    for mask in TestMask.allCases.map(\.image) + [Self.noise] {
      let runs = MaskRuns(mask)
      #expect(try read(COCOAnnotation(runs), mask) == wanted(mask))
      #expect(
        try read(COCOAnnotation(runs, segmentation: .plainRunLengths(runs)), mask) == wanted(mask))
    }
  }

  @Test(.enabled(if: isThere, "pycocotools is not installed"))
  func readsUnsimplifiedPolygonsWithTheirHoles() throws {
    for mask in TestMask.allCases where mask != .empty {
      let outline = try MaskOutline(mask.image, tolerance: 0)
      let found = try read(
        COCOAnnotation(MaskRuns(mask.image), segmentation: .polygons(outline)), mask.image)
      let expected = wanted(mask.image)
      #expect(found.box == expected.box, "\(mask)")
      #expect(found.area == expected.area, "\(mask)")
    }
  }

  @Test(.enabled(if: isThere, "pycocotools is not installed"))
  func compressesAsWeDo() throws {
    let mask = Self.noise
    let runs = MaskRuns(mask)
    let text = try Python.run(
      """
      import json, sys
      import pycocotools.mask as m
      print(m.frPyObjects({"size": [\(mask.height), \(mask.width)], "counts": \(runs.counts)}, \
      \(mask.height), \(mask.width))["counts"].decode(), end="")
      """)
    #expect(text == runs.compressed)
  }
}
