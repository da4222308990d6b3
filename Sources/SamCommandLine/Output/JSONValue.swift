/// JSON to be written: members keep their order.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  /// Written with at most the stated digits after the point; null where it is not finite.
  case number(Double, digits: Int)
  case string(String)
  /// JSON as another encoder has written it.
  case encoded(String)
  case array([JSONValue])
  case object([(name: String, value: JSONValue)])

  package static func == (a: JSONValue, b: JSONValue) -> Bool { a.line == b.line }

  /// The value on one line, without spaces that carry nothing.
  package var line: String {
    var text = ""
    write(into: &text, indent: nil)
    return text
  }

  /// The value over several lines, for people; arrays of numbers stay on one.
  package var indented: String {
    var text = ""
    write(into: &text, indent: 0)
    return text
  }

  private func write(into text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value, let digits): text += decimal(value, digits: digits) ?? "null"
    case .string(let value): Self.quote(value, into: &text)
    case .encoded(let value): text += value
    case .array(let values):
      let inner = values.allSatisfy(\.isScalar) ? nil : indent
      Self.list("[", "]", values.count, into: &text, indent: inner) { text, index, inner in
        if indent != nil, inner == nil, index > 0 { text += " " }
        values[index].write(into: &text, indent: inner)
      }
    case .object(let members):
      Self.list("{", "}", members.count, into: &text, indent: indent) { text, index, inner in
        Self.quote(members[index].name, into: &text)
        text += inner == nil ? ":" : ": "
        members[index].value.write(into: &text, indent: inner)
      }
    }
  }

  private var isScalar: Bool {
    switch self {
    case .array, .object, .encoded: false
    default: true
    }
  }

  private static func list(
    _ open: String, _ close: String, _ count: Int, into text: inout String, indent: Int?,
    element: (inout String, Int, Int?) -> Void
  ) {
    text += open
    let inner = indent.map { $0 + 1 }
    for index in 0..<count {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: "  ", count: inner) }
      element(&text, index, inner)
    }
    if let indent, count > 0 { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }

  private static func quote(_ value: String, into text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
