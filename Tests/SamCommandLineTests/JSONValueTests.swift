import Foundation
import SamCommandLine
import Testing

struct JSONValueTests {
  @Test func writesOneLine() {
    let value = JSONValue.object([
      ("b", .array([.integer(1), .null, .bool(true)])), ("a", .number(0.5, digits: 3)),
    ])
    #expect(value.line == #"{"b":[1,null,true],"a":0.5}"#)
  }

  @Test func indentsObjectsAndKeepsNumbersOnOneLine() {
    let value = JSONValue.object([
      ("box", .array([.integer(1), .integer(2)])), ("list", .array([.object([("x", .null)])])),
      ("none", .array([])), ("empty", .object([])),
    ])
    #expect(
      value.indented == """
        {
          "box": [1, 2],
          "list": [
            {
              "x": null
            }
          ],
          "none": [],
          "empty": {}
        }
        """)
  }

  @Test(arguments: [
    (1.0, 3, "1"), (0.12345, 3, "0.123"), (-0.5, 1, "-0.5"), (-0.0001, 2, "0"), (2.999, 2, "3"),
    (1234567.875, 3, "1234567.875"), (0.05, 2, "0.05"), (.nan, 2, "null"), (.infinity, 2, "null"),
    (10, 0, "10"), (1e300, 2, "1e+300"),
  ])
  func writesDecimals(_ value: Double, _ digits: Int, _ text: String) {
    #expect(JSONValue.number(value, digits: digits).line == text)
  }

  @Test(arguments: ["plain", "quote \" and \\", "line\nbreak\ttab\r", "\u{1}\u{1F}", "é 😀", "/"])
  func stringsComeBack(_ text: String) throws {
    let data = Data(JSONValue.array([.string(text)]).line.utf8)
    #expect(try JSONDecoder().decode([String].self, from: data) == [text])
  }
}
