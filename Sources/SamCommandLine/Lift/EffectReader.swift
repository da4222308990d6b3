import SamSwift

/// What `--effect` asks for.
enum LiftEffect: Sendable {
  case still(SubjectEffect)
}

extension ValueReader where Value == [LiftEffect] {
  /// Reads `NAME[:KEY=VALUE]…,NAME…`.
  static var effects: ValueReader {
    ValueReader(
      wanted: "names with settings, such as highlight or glow:width=4:color=gold,blur:radius=12; "
        + "the names are " + EffectWords.names.joined(separator: ", ")
    ) { text in
      var effects: [LiftEffect] = []
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard var words = EffectWords(word), let effect = words.effect, words.isUsedUp else {
          return nil
        }
        effects.append(effect)
      }
      return effects
    }
  }
}

/// One effect as it was typed; settings are taken out one by one.
private struct EffectWords {
  static let names = ["highlight", "gray", "blur", "glow", "sticker"]

  private let name: String
  private var settings: [String: String] = [:]

  init?(_ text: Substring) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let first = parts.first else { return nil }
    name = String(first)
    for part in parts.dropFirst() {
      guard let equals = part.firstIndex(of: "=") else { return nil }
      let key = String(part[..<equals])
      guard settings[key] == nil else { return nil }
      settings[key] = String(part[part.index(after: equals)...])
    }
  }

  var isUsedUp: Bool { settings.isEmpty }

  /// nil for an unknown name and for values that cannot be read.
  var effect: LiftEffect? {
    mutating get {
      do throws(Unreadable) {
        switch name {
        case "highlight":
          return .still(.highlight(brightness: try number("brightness") ?? 0.25))
        case "gray": return .still(.gray(amount: try number("amount") ?? 1))
        case "blur": return .still(.blur(radius: try number("radius")))
        case "glow":
          var glow = SubjectEffect.Glow()
          glow.width = try number("width")
          glow.blur = try number("blur")
          glow.color = try color("color") ?? glow.color
          return .still(.glow(glow))
        case "sticker":
          var sticker = SubjectEffect.Sticker()
          sticker.width = try number("width")
          sticker.color = try color("color") ?? sticker.color
          sticker.shadow = try number("shadow") ?? sticker.shadow
          return .still(.sticker(sticker))
        default: return nil
        }
      } catch { return nil }
    }
  }

  private struct Unreadable: Error {}

  private mutating func number(_ key: String) throws(Unreadable) -> Double? {
    guard let text = settings.removeValue(forKey: key) else { return nil }
    guard let number = finiteNumber(text) else { throw Unreadable() }
    return number
  }

  private mutating func color(_ key: String) throws(Unreadable) -> SamColor? {
    guard let text = settings.removeValue(forKey: key) else { return nil }
    guard let color = SamColor(text) else { throw Unreadable() }
    return color
  }
}
