import SamSwift

/// How long each step took.
///
/// Loading the model and reading the picture overlap, so the steps can add up to more than the
/// whole.
struct SegmentTimings: Sendable {
  var load = Duration.zero
  var decodeImage = Duration.zero
  var encode = Duration.zero
  var prompt = Duration.zero
  var mask = Duration.zero
  var write = Duration.zero

  /// Everything that has happened before the result is written.
  var json: JSONValue {
    let steps = [
      ("load", load), ("decodeImage", decodeImage), ("encode", encode), ("prompt", prompt),
      ("mask", mask),
    ]
    return .object(steps.map { (name: $0.0, value: .number($0.1.milliseconds, digits: 2)) })
  }

  /// One line for each step, and one for the whole.
  func lines(total: Duration) -> [String] {
    let steps = [
      ("load", load), ("decode image", decodeImage), ("encode", encode), ("prompt", prompt),
      ("mask", mask), ("write", write), ("total", total),
    ]
    return steps.map(Self.line)
  }

  /// A step's name and its time, the numbers below each other.
  static func line(_ name: String, _ time: Duration) -> String {
    let number = fixed(time.milliseconds, digits: 1)
    let gap = String(repeating: " ", count: max(1, 24 - name.count - number.count))
    return "\(name)\(gap)\(number) ms"
  }
}
