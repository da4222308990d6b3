import SamSwift

/// A photograph with the map of its objects.
struct LabelledPicture: Sendable {
  let name: String
  let photograph: PixelImage
  private let labels: LabelMap
  /// The labels of the objects that are measured, in order; 0 is no object.
  let measured: [Int]

  /// The share of the photograph that an object may cover to be measured: less is hard to point at,
  /// more is the background.
  private static let measuredShare = (above: 0.01, below: 0.8)

  /// Reads both files.
  init(_ pair: EvaluationFolder.Pair) throws {
    name = pair.name
    photograph = try ImageDecoder().decode(contentsOf: pair.photograph)
    labels = try LabelMap(contentsOf: pair.labels)
    guard labels.width == photograph.width, labels.height == photograph.height else {
      throw EvaluationError.sizesDiffer(
        labels: pair.labels.path, wanted: "\(photograph.width)×\(photograph.height)",
        actual: "\(labels.width)×\(labels.height)")
    }
    var counts = [Int](repeating: 0, count: 1 << 16)
    for value in labels.values { counts[Int(value)] += 1 }
    let area = Double(labels.values.count)
    measured = counts.indices.dropFirst().filter { label in
      let count = Double(counts[label])
      return count > Self.measuredShare.above * area && count < Self.measuredShare.below * area
    }
  }

  /// Where an object is; one pass.
  func mask(of label: Int) -> BinaryMask {
    BinaryMask(
      width: labels.width, height: labels.height,
      bytes: labels.values.map { Int($0) == label ? 1 : 0 })
  }
}
