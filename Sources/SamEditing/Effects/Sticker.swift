/// A border round an object, and its shadow.
struct StickerBorder: Sendable {
  let width: Float
  private let color: SamColor
  private let shadow: Float

  init(_ sticker: SubjectEffect.Sticker, longSide: Int) {
    width = Float(sticker.width ?? max(3, Double(longSide) / 70))
    color = sticker.color
    shadow = Float(sticker.shadow)
  }

  /// The shadow lies half a border's width lower and is a border's width soft.
  private var drop: Int { shadow > 0 ? Int((width * 0.3).rounded(.up)) : 0 }
  private var softness: Float { max(2, width * 0.8) }

  /// Where border and shadow have ended, to any side.
  var reach: Int {
    Int((width + (shadow > 0 ? softness : 0)).rounded(.up)) + 1 + drop
  }

  func stages(_ map: DistanceMap) -> [RowStage] {
    let paint = color.premultiplied
    let border = OutlinePaint(reach: Int(width) + 2) { distance in
      OutlinePaint.Coat(paint: paint * min(1, max(0, width + 0.5 - distance)))
    }
    guard shadow > 0 else { return [border.stage(map)] }
    let shade = OutlinePaint(reach: Int((width + softness).rounded(.up)) + 1) { distance in
      let strength = 1 - smoothStep(-softness, softness, distance - width)
      return OutlinePaint.Coat(paint: SIMD4(0, 0, 0, 255 * shadow * strength))
    }
    return [shade.stage(map, offset: drop), border.stage(map)]
  }
}
