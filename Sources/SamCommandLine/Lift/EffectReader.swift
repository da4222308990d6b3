import SamSwift

/// What `--effect` asks for.
struct EffectReader: Sendable {
  /// Effects of a picture that does not move, in order.
  private(set) var still: [SubjectEffect] = []
  /// The travelling light, if one is wanted.
  private(set) var shimmer: Shimmer?

  /// Whether the object's own picture has to lie behind it.
  var needsBackground: Bool {
    shimmer != nil || still.contains { $0.needsBackground }
  }

  static let help =
    "Settings of the effects: highlight:brightness=0.25, gray:amount=1, blur:radius=PIXELS, "
    + "glow:width=PIXELS:color=COLOUR:blur=PIXELS, sticker:width=PIXELS:color=COLOUR:shadow=0.35, "
    + "shimmer:width=PIXELS:color=COLOUR:length=0.4:frames=36:ms=50. Lengths that are left out grow "
    + "with the picture."

  private static let names = ["highlight", "gray", "blur", "glow", "sticker", "shimmer"]

  /// What the command line calls an option of an effect.
  static func setting(_ name: String) -> String {
    switch name {
    case "frameCount": "frames"
    case "millisecondsPerFrame": "ms"
    default: name
    }
  }

  /// Reads `NAME[:KEY=VALUE]…,NAME…`; nil asks for nothing.
  init(_ text: String?, of option: String) throws(UsageError) {
    guard let text else { return }
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      var words = try EffectWords(word, of: option)
      switch words.name {
      case "highlight":
        still.append(.highlight(brightness: try words.number("brightness") ?? 0.25))
      case "gray": still.append(.gray(amount: try words.number("amount") ?? 1))
      case "blur": still.append(.blur(radius: try words.number("radius")))
      case "glow":
        var glow = SubjectEffect.Glow()
        glow.width = try words.number("width")
        glow.blur = try words.number("blur")
        glow.color = try words.color("color") ?? glow.color
        still.append(.glow(glow))
      case "sticker":
        var sticker = SubjectEffect.Sticker()
        sticker.width = try words.number("width")
        sticker.color = try words.color("color") ?? sticker.color
        sticker.shadow = try words.number("shadow") ?? sticker.shadow
        still.append(.sticker(sticker))
      case "shimmer":
        guard shimmer == nil else { throw words.fault("there is one shimmer at most") }
        var light = Shimmer()
        light.width = try words.number("width")
        light.color = try words.color("color") ?? light.color
        light.length = try words.number("length") ?? light.length
        light.frameCount = try words.wholeNumber("frames") ?? light.frameCount
        light.millisecondsPerFrame = try words.wholeNumber("ms") ?? light.millisecondsPerFrame
        shimmer = light
      default:
        let near = closest(to: words.name, among: Self.names)
        throw words.fault(
          near.map { "did you mean \($0)?" }
            ?? "the effects are \(Self.names.joined(separator: ", "))")
      }
      try words.finish()
    }
  }
}

/// One effect as it was typed; its settings are taken out one by one.
private struct EffectWords {
  let name: String
  private let text: Substring
  private let option: String
  private var settings: [String: String] = [:]

  init(_ text: Substring, of option: String) throws(UsageError) {
    self.text = text
    self.option = option
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    name = parts.first.map(String.init) ?? ""
    for part in parts.dropFirst() {
      guard let equals = part.firstIndex(of: "=") else {
        throw fault("settings are written \(name):KEY=VALUE")
      }
      let key = String(part[..<equals])
      guard settings[key] == nil else { throw fault("\(key) is given twice") }
      settings[key] = String(part[part.index(after: equals)...])
    }
  }

  func fault(_ wanted: String) -> UsageError {
    .badValue(argument: option, value: String(text), wanted: wanted)
  }

  mutating func number(_ key: String) throws(UsageError) -> Double? {
    guard let text = settings.removeValue(forKey: key) else { return nil }
    guard let number = finiteNumber(text) else { throw fault("\(key) must be a number") }
    return number
  }

  mutating func wholeNumber(_ key: String) throws(UsageError) -> Int? {
    guard let text = settings.removeValue(forKey: key) else { return nil }
    guard let number = Int(text) else { throw fault("\(key) must be a whole number") }
    return number
  }

  mutating func color(_ key: String) throws(UsageError) -> SamColor? {
    guard let text = settings.removeValue(forKey: key) else { return nil }
    guard let color = SamColor(text) else {
      throw fault(
        "\(key) must be a colour: #rgb, #rrggbb, #rrggbbaa or one of "
          + SamColor.names.joined(separator: ", "))
    }
    return color
  }

  /// Settings that are left over belong to no effect.
  func finish() throws(UsageError) {
    guard let key = settings.keys.min() else { return }
    throw fault("\(name) has no setting \(key)")
  }
}
