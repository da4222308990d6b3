import SamSwift

/// The options that point at an object, for every command that takes them.
package struct PromptOptions: Sendable {
  static let point = Option.repeated(
    "point", "X,Y",
    "A place on the object, in pixels from the upper left corner or in percent. May be repeated.")
  static let exclude = Option.repeated(
    "exclude", "X,Y", "A place that is not on the object. May be repeated.")
  static let box = Option.value(
    "box", "X0,Y0,X1,Y1", "A box round the object; its corners in any order.")
  static let scribble = Option.value(
    "scribble", "FILE", "A picture with white strokes on black over the object, of any size.")

  package static let group = CommandSpecification.OptionGroup(
    "What to segment", [point, exclude, box, scribble])

  /// Vision's limits, which SamSwift keeps.
  private static let mostPoints = 13
  private static let mostPointsWithBox = 11

  private let points: [(place: CoordinatePair, typed: String, label: SamPoint.Label)]
  private let box: (CoordinatePair, CoordinatePair)?
  private let boxTyped: String
  /// The scribble's file as it was typed.
  package let scribbleFile: String?

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    var points: [(place: CoordinatePair, typed: String, label: SamPoint.Label)] = []
    // In the order typed: a model that takes several points one by one starts with the first.
    for use in arguments.occurrences {
      for (option, label) in [(Self.point, SamPoint.Label.include), (Self.exclude, .exclude)]
      where use.name == option.name {
        let place = try ValueReader<CoordinatePair>.point(use.value, of: option.flag)
        points.append((place, "\(option.flag) \(use.value)", label))
      }
    }
    self.points = points
    box = try arguments.value(Self.box, .box)
    boxTyped = "\(Self.box.flag) \(arguments.value(Self.box) ?? "")"
    scribbleFile = arguments.value(Self.scribble)
    guard box != nil || scribbleFile != nil || points.contains(where: { $0.label == .include })
    else {
      throw .conflict(
        "nothing says what to segment. Add --point X,Y or --box X0,Y0,X1,Y1 or --scribble FILE")
    }
    if scribbleFile != nil, box != nil {
      throw .conflict(
        "--scribble goes with --point and --exclude, not with --box. Drop one of them")
    }
    let most = box == nil ? Self.mostPoints : Self.mostPointsWithBox
    if points.count > most {
      let limit = box == nil ? "\(most) points" : "\(most) points beside a box"
      throw .conflict("\(points.count) points are too many. At most \(limit) can be given")
    }
  }

  /// Standard input can be read once: it is the picture or the scribble, not both.
  package func check(beside picture: String) throws(UsageError) {
    guard picture == "-", scribbleFile == "-" else { return }
    throw .conflict("the picture and the scribble cannot both be standard input. Name one file")
  }

  /// The prompt in pixels of a picture, checked against its size.
  package func resolved(
    width: Int, height: Int, picture: String, scribble: PixelImage?
  ) throws(UsageError) -> SamPrompt {
    let size = "\(picture) is \(width) × \(height) pixels"
    var prompt = SamPrompt(scribble: scribble)
    for point in points {
      let x = point.place.x.resolved(along: width)
      let y = point.place.y.resolved(along: height)
      guard (0...Double(width)).contains(x), (0...Double(height)).contains(y) else {
        throw .conflict("\(point.typed) lies outside the picture: \(size)")
      }
      prompt.points.append(SamPoint(x: x, y: y, label: point.label))
    }
    guard let box else { return prompt }
    let x0 = box.0.x.resolved(along: width)
    let x1 = box.1.x.resolved(along: width)
    let y0 = box.0.y.resolved(along: height)
    let y1 = box.1.y.resolved(along: height)
    guard x0 != x1, y0 != y1 else {
      throw .conflict("\(boxTyped) has no area. Give two corners that differ in both numbers")
    }
    let clipped = SamBox(
      x0: max(0, min(x0, x1)), y0: max(0, min(y0, y1)), x1: min(Double(width), max(x0, x1)),
      y1: min(Double(height), max(y0, y1)))
    guard clipped.width > 0, clipped.height > 0 else {
      throw .conflict("\(boxTyped) lies outside the picture: \(size)")
    }
    prompt.box = clipped
    return prompt
  }
}
