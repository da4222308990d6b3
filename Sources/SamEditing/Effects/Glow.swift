/// A luminous line round an object.
struct GlowLight: Sendable {
  private let width: Float
  private let blur: Float
  private let color: SamColor

  init(_ glow: SubjectEffect.Glow, longSide: Int) {
    width = Float(glow.width ?? max(1.5, Double(longSide) / 300))
    blur = Float(glow.blur ?? max(4, Double(longSide) / 25))
    color = glow.color
  }

  /// Where the light has faded out.
  var reach: Int { Int((width + blur).rounded(.up)) + 1 }

  /// The light first, then the line over it.
  func stages(_ map: DistanceMap) -> [RowStage] {
    let paint = color.premultiplied
    let light = OutlinePaint(reach: reach) { distance in
      guard blur > 0 else { return .zero }
      let t = max(0, distance - width) / blur
      // Strong near the line, and smoothly nothing where it ends.
      let strength = 0.55 * gaussian(t * 2.6) + 0.45 * gaussian(t * 7)
      return paint * (strength * (1 - smoothStep(0.6, 1, t)))
    }
    let line = OutlinePaint(reach: Int(width) + 2) { distance in
      paint * min(1, max(0, width + 0.5 - distance))
    }
    return [light.stage(map, isLight: true), line.stage(map)]
  }
}
