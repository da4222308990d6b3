/// A command's arguments, taken apart and checked against its specification.
package struct ParsedArguments: Sendable {
  /// One use of an option.
  package struct Occurrence: Sendable, Equatable {
    /// The option's name without dashes.
    package let name: String
    /// Empty for a flag.
    package let value: String
  }

  /// Every use of an option, in the order in which they were typed.
  package let occurrences: [Occurrence]

  private let arguments: [String: String]

  init(occurrences: [Occurrence], arguments: [String: String]) {
    self.occurrences = occurrences
    self.arguments = arguments
  }

  /// An argument without a name, by the name that the specification gives it.
  package subscript(argument: String) -> String {
    guard let value = arguments[argument] else {
      preconditionFailure("\(argument) is not an argument of this command")
    }
    return value
  }

  /// Whether a flag was given.
  package func has(_ flag: Option) -> Bool {
    occurrences.contains { $0.name == flag.name }
  }

  /// An option's value as it was typed, or nil where it was not given.
  package func value(_ option: Option) -> String? {
    occurrences.first { $0.name == option.name }?.value
  }

  /// An option's value, read.
  package func value<Value>(
    _ option: Option, _ read: ValueReader<Value>
  ) throws(UsageError) -> Value? {
    guard let text = value(option) else { return nil }
    return try read(text, of: option.flag)
  }

  /// Every value of a repeated option, read, in order.
  package func values<Value>(
    _ option: Option, _ read: ValueReader<Value>
  ) throws(UsageError) -> [Value] {
    var values: [Value] = []
    for occurrence in occurrences where occurrence.name == option.name {
      values.append(try read(occurrence.value, of: option.flag))
    }
    return values
  }
}

/// Reads one kind of value, and says in words what it wants.
package struct ValueReader<Value>: Sendable {
  let wanted: String
  let parse: @Sendable (String) -> Value?

  /// - Parameters:
  ///   - wanted: What the user reads after a wrong value, such as `a whole number from 1 to 64`.
  ///   - parse: The value, or nil where the text is not one.
  package init(wanted: String, parse: @escaping @Sendable (String) -> Value?) {
    self.wanted = wanted
    self.parse = parse
  }

  package func callAsFunction(_ text: String, of argument: String) throws(UsageError) -> Value {
    guard let value = parse(text) else {
      throw .badValue(argument: argument, value: text, wanted: "it must be " + wanted)
    }
    return value
  }
}

extension ValueReader where Value == Int {
  /// A whole number in a range.
  package static func wholeNumber(_ range: ClosedRange<Int>) -> ValueReader {
    ValueReader(wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueReader where Value == Double {
  /// A number in a range.
  package static func number(_ range: ClosedRange<Double>) -> ValueReader {
    ValueReader(wanted: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
      finiteNumber(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueReader
where
  Value: CaseIterable & RawRepresentable & Sendable, Value.RawValue == String,
  Value.AllCases: Sendable
{
  /// One of an enumeration's words.
  package static var word: ValueReader {
    let words = Value.allCases.map(\.rawValue)
    return ValueReader(wanted: "one of \(words.joined(separator: ", "))") { text in
      Value(rawValue: text)
    }
  }
}

/// A decimal number that is neither infinite nor NaN; hexadecimal and words are refused.
func finiteNumber(_ text: some StringProtocol) -> Double? {
  let allowed: Set<Character> = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "-", "+", "e", "E",
  ]
  guard text.allSatisfy(allowed.contains), let number = Double(text), number.isFinite else {
    return nil
  }
  return number
}
