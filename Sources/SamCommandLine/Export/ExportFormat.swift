import Foundation
import SamSwift

/// A form in which other programs take masks.
enum ExportFormat: String, CaseIterable, Sendable {
  case cocoRunLengths = "coco-rle"
  case coco
  case geoJSON = "geojson"
  case labelMe = "labelme"
  case svg
  case yolo
  case mask
  case bilevelMask = "mask1"

  /// Whether the result is text, which may go to a screen.
  var isText: Bool { self != .mask && self != .bilevelMask }
}

/// The options that choose a form for other programs, and what it says.
struct ExportOptions: Sendable {
  static let format = Option.value(
    "format", "NAME",
    "A form for other programs. coco-rle: run lengths with box and area, as SAM writes them. coco: a "
      + "data set with polygons. geojson, labelme, svg: polygons. yolo: a line of a label file. "
      + "mask: a gray PNG of the picture's size. mask1: the same in black and white. Text goes to "
      + "standard output if --output is left out.")
  static let tolerance = Option.value(
    "tolerance", "N", "How far polygons may lie from the mask's pixels; 1 if left out.")
  static let label = Option.value(
    "label", "NAME", "What polygons call the object; object if left out.")

  static let group = CommandSpecification.OptionGroup(
    "For other programs", [format, tolerance, label])

  let format: ExportFormat
  private let tolerance: Double
  private let label: String

  /// nil where no form is asked for.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    let format = try arguments.value(Self.format, .word) as ExportFormat?
    let tolerance = try arguments.value(Self.tolerance, .number(0...10_000))
    label = arguments.value(Self.label) ?? "object"
    self.tolerance = tolerance ?? 1
    guard let format else {
      if tolerance != nil || arguments.value(Self.label) != nil {
        throw .conflict("--tolerance and --label belong to polygons. Add --format NAME")
      }
      return nil
    }
    self.format = format
  }

  /// The contents of a file with one mask.
  ///
  /// Other programs look for the picture beside the file, so that only its name goes in.
  func contents(_ mask: SamMask, image path: String) throws -> Data {
    let image = FileName(path).name
    switch format {
    case .mask:
      return try ImageEncoder.encode(mask.atPictureSize().withCleanEdges().alpha, as: .png)
    case .bilevelMask:
      return try ImageEncoder.encodeBilevel(mask.atPictureSize().alpha)
    case .svg:
      return Data(try mask.outline(tolerance: tolerance).svg().utf8)
    case .yolo:
      // An empty mask has no line.
      let line = try mask.outline(tolerance: tolerance).yoloLine()
      return Data((line.map { $0 + "\n" } ?? "").utf8)
    case .cocoRunLengths:
      return try json(
        COCOAnnotation(try mask.runLengths(), score: Self.score(mask)))
    case .coco:
      let annotation = COCOAnnotation(
        try mask.runLengths(), segmentation: .polygons(try mask.outline(tolerance: tolerance)),
        score: Self.score(mask))
      return try json(
        COCODataset(
          images: [
            .init(fileName: image, width: mask.imageWidth, height: mask.imageHeight)
          ], categories: [.init(name: label)], annotations: [annotation]))
    case .geoJSON:
      return try json(
        GeoJSONFeature(try mask.outline(tolerance: tolerance), properties: ["label": label]))
    case .labelMe:
      return try json(
        LabelMeFile(
          objects: [.init(label: label, outline: try mask.outline(tolerance: tolerance))],
          imagePath: image, imageWidth: mask.imageWidth, imageHeight: mask.imageHeight))
    }
  }

  /// Four digits are more than the network knows.
  private static func score(_ mask: SamMask) -> Double {
    (Double(mask.score) * 1e4).rounded() / 1e4
  }

  private func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + Data("\n".utf8)
  }
}

extension SegmentDestination {
  /// Where exports go: to the file given; without one, text to standard output and masks beside the
  /// folder's other results.
  init(
    output: String?, exporting format: ExportFormat, image: String, count: Int
  ) throws(UsageError) {
    let name = output.map { FileName($0).lowercasedExtension }
    if !format.isText, let name, name != "png", name != "" {
      throw .conflict(
        "masks are PNG files; .\(name) is not one. Give --output a name ending in .png")
    }
    kind = format.isText ? .json : .mask
    self.format = format.isText ? .json : .png
    let stem = image == "-" ? "picture" : FileName(image).stem
    switch output {
    case "-": file = nil
    case .some(let output): file = output
    case nil: file = format.isText ? nil : "\(stem)-mask.png"
    }
    if file == nil, count > 1 {
      throw .conflict("--all writes several files. Give --output a file's name")
    }
  }
}
