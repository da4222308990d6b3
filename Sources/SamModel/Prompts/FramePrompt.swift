/// A checked prompt in the frame's coordinates.
struct FramePrompt: Sendable {
  struct Point: Sendable {
    var x: Float
    var y: Float
    var isIncluded: Bool
  }

  let points: [Point]
  /// Upper left and lower right corner.
  let box: (x0: Float, y0: Float, x1: Float, y1: Float)?
  let previous: LogitGrid?
  let strokes: [Point]

  /// The range that previous logits are clamped to.
  static let logitLimit: Float = 32

  /// - Throws: ``ModelError/badPrompt`` for coordinates that are not finite, nothing to point at, too many points,
  ///   or previous logits of another size.
  init(_ prompt: Prompt, geometry: FrameGeometry, scaling: PointScaling) throws(ModelError) {
    guard !prompt.points.isEmpty || prompt.box != nil || prompt.previous != nil else {
      throw .badPrompt(reason: "wanted a point, a box or a previous mask, got none")
    }
    guard prompt.points.count <= Prompt.maximumPoints else {
      throw .badPrompt(
        reason: "wanted at most \(Prompt.maximumPoints) points, got \(prompt.points.count)")
    }
    let scale = scaling.factors(geometry)
    func map(_ point: Prompt.Point) -> Point {
      Point(x: point.x * scale.x, y: point.y * scale.y, isIncluded: point.isIncluded)
    }
    points = prompt.points.map(map)
    strokes = prompt.strokes.map(map)
    box = prompt.box.map {
      (
        min($0.x0, $0.x1) * scale.x, min($0.y0, $0.y1) * scale.y, max($0.x0, $0.x1) * scale.x,
        max($0.y0, $0.y1) * scale.y
      )
    }
    func check(_ framed: [Point], _ given: [Prompt.Point], _ what: String) throws(ModelError) {
      guard let i = framed.firstIndex(where: { !($0.x.isFinite && $0.y.isFinite) }) else { return }
      throw .badPrompt(
        reason: "\(what) \(i + 1) is at (\(given[i].x), \(given[i].y)), wanted finite coordinates")
    }
    try check(points, prompt.points, "point")
    try check(strokes, prompt.strokes, "stroke point")
    if let box, let given = prompt.box, ![box.x0, box.y0, box.x1, box.y1].allSatisfy(\.isFinite) {
      throw .badPrompt(
        reason: """
          the box is (\(given.x0), \(given.y0)) to (\(given.x1), \(given.y1)), wanted finite \
          coordinates
          """)
    }
    if let grid = prompt.previous {
      let (width, height) = (geometry.gridWidth, geometry.gridHeight)
      guard grid.width == width, grid.height == height, grid.values.count == width * height else {
        throw .badPrompt(
          reason: """
            wanted previous logits of \(width) × \(height), got \(grid.width) × \(grid.height) with \
            \(grid.values.count) values
            """)
      }
      previous = LogitGrid(
        width: width, height: height,
        values: grid.values.map { max(-Self.logitLimit, min(Self.logitLimit, $0)) })
    } else {
      previous = nil
    }
  }
}

/// How picture coordinates become frame coordinates.
enum PointScaling: Sendable {
  /// SAM: each axis by resized size ÷ picture size (sizes are whole numbers, so the two differ a little).
  case perAxis
  /// Lite: both by frame size ÷ long side.
  case uniform

  func factors(_ geometry: FrameGeometry) -> (x: Float, y: Float) {
    switch self {
    case .perAxis:
      return (
        Float(Double(geometry.resizedWidth) / Double(geometry.imageWidth)),
        Float(Double(geometry.resizedHeight) / Double(geometry.imageHeight))
      )
    case .uniform:
      let scale = Float(
        Double(geometry.frameSize) / Double(max(geometry.imageWidth, geometry.imageHeight)))
      return (scale, scale)
    }
  }
}
