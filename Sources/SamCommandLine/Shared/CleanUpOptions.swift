import SamSwift

/// The options that put a mask right, for every command that makes one.
package struct CleanUpOptions: Sendable {
  static let keepClicked = Option.flag(
    "keep-clicked", "Keep only the pieces of the mask that hold a --point.")
  static let minimumArea = Option.value(
    "min-area", "N", "Remove pieces of fewer pixels than this.")
  static let fillHoles = Option.value("fill-holes", "N", "Fill holes of fewer pixels than this.")
  static let smooth = Option.value(
    "smooth", "N", "Smooth the outline over about this many pixels.")

  package static let group = CommandSpecification.OptionGroup(
    "Putting the mask right", [keepClicked, minimumArea, fillHoles, smooth])

  /// What is to be done; nothing if none of the options is given.
  package let cleanUp: MaskCleanUp

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    let pixels = ValueReader<Int>.wholeNumber(0...1_000_000_000)
    var cleanUp = MaskCleanUp()
    cleanUp.keepsClicked = arguments.has(Self.keepClicked)
    cleanUp.minimumArea = try arguments.value(Self.minimumArea, pixels) ?? 0
    cleanUp.maximumHole = try arguments.value(Self.fillHoles, pixels) ?? 0
    cleanUp.smoothing = try arguments.value(Self.smooth, .number(0...1000)) ?? 0
    self.cleanUp = cleanUp
    if cleanUp.keepsClicked,
      !arguments.occurrences.contains(where: { $0.name == PromptOptions.point.name })
    {
      throw .conflict(
        "\(Self.keepClicked.flag) needs a click to go by. Add \(PromptOptions.point.flag) X,Y")
    }
  }

  /// The result with every mask put right.
  func applied(to result: SamResult, prompt: SamPrompt) throws(SamSwiftError) -> SamResult {
    if cleanUp.isEmpty { return result }
    return SamResult(
      masks: try result.masks.map { mask throws(SamSwiftError) in
        try mask.cleaned(cleanUp, points: prompt.points)
      }, candidates: result.candidates, timings: result.timings)
  }
}
