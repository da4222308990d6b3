import SamCommandLine
import Testing

/// The parser through a command made for the purpose.
struct ArgumentParserTests {
  static let name = Option.value("name", "TEXT", letter: "n", "A name.")
  static let tag = Option.repeated("tag", "TEXT", "A tag.")
  static let loud = Option.flag("loud", letter: "l", "Shout.")

  static let specification = CommandSpecification(
    name: "greet", summary: "Greet.", arguments: [.init("WHO", "Who is greeted.")],
    options: [.init("Options", [name, tag, loud])])

  private func parse(_ words: String...) throws(UsageError) -> ParsedArguments {
    try ArgumentParser(Self.specification).parse(words)
  }

  @Test(arguments: [
    ["--name", "x", "you"], ["you", "--name=x"], ["-n", "x", "you"], ["-n=x", "you"],
  ])
  func readsAValueInEveryForm(_ words: [String]) throws {
    let parsed = try ArgumentParser(Self.specification).parse(words)
    #expect(parsed.value(Self.name) == "x")
    #expect(parsed["WHO"] == "you")
  }

  @Test func keepsRepeatedOptionsInOrder() throws {
    let parsed = try parse("--tag", "b", "you", "--tag=a", "--loud", "--tag", "c=d")
    #expect(parsed.occurrences.map(\.value) == ["b", "a", "", "c=d"])
    #expect(parsed.has(Self.loud))
  }

  @Test func aDoubleDashEndsTheOptions() throws {
    let parsed = try parse("--loud", "--", "--name")
    #expect(parsed["WHO"] == "--name")
    #expect(parsed.value(Self.name) == nil)
  }

  @Test func aDashAloneIsAnArgument() throws {
    #expect(try parse("-")["WHO"] == "-")
    #expect(try parse("you", "--name", "-").value(Self.name) == "-")
  }

  @Test(arguments: ["-5,3", "-.5", "-1"]) func aNegativeNumberIsAValue(_ number: String) throws {
    #expect(try parse("you", "--name", number).value(Self.name) == number)
  }

  @Test func refusesWhatIsWrong() {
    #expect(throws: UsageError.missingArgument("WHO")) { try parse() }
    #expect(throws: UsageError.missingArgument("WHO")) { try parse("") }
    #expect(throws: UsageError.unexpectedArgument("b")) { try parse("a", "b") }
    #expect(throws: UsageError.missingValue(option: "--name", placeholder: "TEXT")) {
      try parse("a", "--name")
    }
    #expect(throws: UsageError.missingValue(option: "--name", placeholder: "TEXT")) {
      try parse("a", "--name", "--loud")
    }
    #expect(throws: UsageError.missingValue(option: "--name", placeholder: "TEXT")) {
      try parse("a", "--name=")
    }
    #expect(throws: UsageError.unexpectedValue(option: "--loud", value: "yes")) {
      try parse("a", "--loud=yes")
    }
    #expect(throws: UsageError.repeated(option: "--name")) {
      try parse("a", "--name", "x", "-n", "y")
    }
    #expect(throws: UsageError.repeated(option: "--loud")) { try parse("a", "--loud", "-l") }
  }

  @Test(arguments: [
    ("--nmae", "--name"), ("--Name", "--name"), ("-name", "--name"), ("--lou", "--loud"),
    ("--tags", "--tag"), ("--hlep", "--help"),
  ])
  func suggestsTheNearestOption(_ typed: String, _ meant: String) {
    #expect(throws: UsageError.unknownOption(typed, suggestion: meant)) { try parse("a", typed) }
  }

  @Test(arguments: ["--colour", "-x", "--n"]) func suggestsNothingFarOff(_ typed: String) {
    #expect(throws: UsageError.unknownOption(typed, suggestion: nil)) { try parse("a", typed) }
  }

  @Test(arguments: ["7", "1", "64"]) func readsWholeNumbers(_ text: String) throws {
    let reader = ValueReader<Int>.wholeNumber(1...64)
    #expect(try reader(text, of: "--n") == Int(text))
  }

  @Test(arguments: ["0", "65", "1.5", "", "x", "99999999999999999999", "0x10"])
  func refusesOtherNumbers(_ text: String) {
    let reader = ValueReader<Int>.wholeNumber(1...64)
    #expect(
      throws: UsageError.badValue(
        argument: "--n", value: text, wanted: "it must be a whole number from 1 to 64")
    ) { try reader(text, of: "--n") }
  }
}
