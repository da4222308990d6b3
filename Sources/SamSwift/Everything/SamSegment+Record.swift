import Foundation
import SamEditing

extension SamSegment {
  /// The segment in the layout of SAM's mask generator, to be encoded as JSON.
  ///
  /// - Parameter compressed: Whether the run lengths are COCO's compressed text (`coco_rle`), or numbers
  ///   (`uncompressed_rle`).
  /// - Returns: What `SamAutomaticMaskGenerator` would have written.
  public func record(compressed: Bool = true) -> Record {
    Record(
      segmentation: compressed ? .runLengths(runs) : .plainRunLengths(runs), area: area,
      // SAM measures from the first pixel to the last, not to its far edge.
      box: [box.x0, box.y0, max(0, box.width - 1), max(0, box.height - 1)].map { Int($0) },
      score: score, points: [[point.x, point.y]], stability: stability,
      crop: [crop.x0, crop.y0, crop.width, crop.height].map { Int($0) })
  }

  /// A record of SAM's mask generator.
  public struct Record: Sendable, Hashable, Encodable {
    /// `{"size": [height, width], "counts": …}`.
    public let segmentation: COCOSegmentation
    /// Pixels inside.
    public let area: Int
    /// Left, top, and the distances from the first pixel to the last across and down.
    public let box: [Int]
    /// The network's estimate of the mask's IoU with the true object.
    public let score: Float
    /// The one click that found it, x and y.
    public let points: [[Double]]
    /// How little the mask changes with the threshold.
    public let stability: Float
    /// Left, top, width and height of the part of the picture that was looked at.
    public let crop: [Int]

    private enum CodingKeys: String, CodingKey {
      case segmentation, area
      case box = "bbox"
      case score = "predicted_iou"
      case points = "point_coords"
      case stability = "stability_score"
      case crop = "crop_box"
    }
  }
}

extension SamSegments {
  /// Each segment's record as JSON without line breaks; see ``SamSegment/record(compressed:)``.
  ///
  /// - Parameter compressed: Whether run lengths are COCO's compressed text, or numbers.
  /// - Returns: One text for each segment.
  /// - Throws: `EncodingError` for a score that is no number.
  public func records(compressed: Bool = true) throws -> [String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try segments.map {
      String(decoding: try encoder.encode($0.record(compressed: compressed)), as: UTF8.self)
    }
  }

  /// All records as one JSON array, a record on each line.
  ///
  /// - Parameter compressed: Whether run lengths are COCO's compressed text, or numbers.
  /// - Returns: The text of a file, with a line break at its end.
  /// - Throws: `EncodingError` for a score that is no number.
  public func recordsJSON(compressed: Bool = true) throws -> String {
    let lines = try records(compressed: compressed)
    return lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }
}
