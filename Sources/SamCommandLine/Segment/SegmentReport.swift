import SamSwift

/// The result of `segment` for another program.
struct SegmentReport: Sendable {
  let image: String
  let picture: PixelImage
  let prompt: SamPrompt
  let model: SegmentationModel
  let quality: SamQuality
  let wantsAll: Bool
  let result: SamResult
  let timings: SegmentTimings

  var json: JSONValue {
    .object(
      [
        (
          "image",
          .object([
            ("file", .string(image)), ("width", .integer(picture.width)),
            ("height", .integer(picture.height)),
          ])
        ),
        ("prompt", promptMembers),
      ] + Self.members(of: result.best) + [
        ("candidates", .array(candidates)), ("timings", timings.json),
        (
          "versions",
          .object([
            ("samswift", .string(SamCommandLine.version)), ("model", .string(model.description)),
            ("quality", .string(quality.rawValue)),
          ])
        ),
      ])
  }

  private var promptMembers: JSONValue {
    let points = prompt.points.map { point -> JSONValue in
      .object([
        ("x", .number(point.x, digits: 2)), ("y", .number(point.y, digits: 2)),
        ("label", .string(point.label == .include ? "include" : "exclude")),
      ])
    }
    return .object([
      ("points", .array(points)), ("box", Self.corners(prompt.box)),
      ("scribble", .bool(prompt.scribble != nil)),
    ])
  }

  /// With `--all` the candidates have been made into masks and can be measured.
  private var candidates: [JSONValue] {
    wantsAll
      ? result.masks.map { .object(Self.members(of: $0)) }
      : result.candidates.map { .object([("score", Self.score($0.score))]) }
  }

  /// `area` in pixels of the picture, `box` as `[x0, y0, x1, y1]` or null for an empty mask.
  private static func members(of mask: SamMask) -> [(name: String, value: JSONValue)] {
    [
      ("score", score(mask.score)), ("box", corners(mask.boundingBox)),
      ("area", .integer(mask.area)),
    ]
  }

  private static func score(_ value: Float) -> JSONValue { .number(Double(value), digits: 4) }

  private static func corners(_ box: SamBox?) -> JSONValue {
    guard let box else { return .null }
    return .array([box.x0, box.y0, box.x1, box.y1].map { .number($0, digits: 2) })
  }
}
