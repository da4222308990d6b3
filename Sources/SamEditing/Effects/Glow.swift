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

  /// The line, and light beside and under it.
  func stage(_ map: DistanceMap) -> RowStage {
    let paint = color.premultiplied
    return OutlinePaint(reach: reach) { distance in
      var coat = OutlinePaint.Coat()
      coat.paint = paint * min(1, max(0, width + 0.5 - distance))
      if blur > 0 {
        let t = max(0, distance - width) / blur
        // Strong near the line, and smoothly nothing where it ends.
        let strength = 0.55 * gaussian(t * 2.6) + 0.45 * gaussian(t * 7)
        coat.light = paint * (strength * (1 - smoothStep(0.6, 1, t)))
      }
      return coat
    }.stage(map)
  }
}
