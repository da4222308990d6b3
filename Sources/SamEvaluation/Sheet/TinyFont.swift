/// Capitals, digits and a few signs, five rows of three dots each, every dot two pixels a side.
enum TinyFont {
  private static let dot = 2

  /// Pixels from one character to the next.
  static let advance = 4 * dot
  /// Pixels that a line is high.
  static let lineHeight = 5 * dot

  /// The pixels that a character covers, from its upper left corner; a lone underline for one that
  /// is not known.
  static func pixels(of character: Character) -> [(column: Int, row: Int)] {
    let glyph = glyphs[character] ?? 0o00007
    var pixels: [(column: Int, row: Int)] = []
    for row in 0..<5 {
      for column in 0..<3 where glyph >> ((4 - row) * 3 + 2 - column) & 1 == 1 {
        for y in 0..<dot {
          for x in 0..<dot { pixels.append((column * dot + x, row * dot + y)) }
        }
      }
    }
    return pixels
  }

  /// An octal digit for each row, from the top; 4 is the left dot.
  private static let glyphs: [Character: Int] = [
    "A": 0o25755, "B": 0o65656, "C": 0o34443, "D": 0o65556, "E": 0o74647, "F": 0o74644,
    "G": 0o34553, "H": 0o55755, "I": 0o72227, "J": 0o11152, "K": 0o55655, "L": 0o44447,
    "M": 0o57755, "N": 0o65555, "O": 0o25552, "P": 0o65644, "Q": 0o25563, "R": 0o65655,
    "S": 0o34216, "T": 0o72222, "U": 0o55557, "V": 0o55552, "W": 0o55775, "X": 0o55255,
    "Y": 0o55222, "Z": 0o71247, "0": 0o75557, "1": 0o26227, "2": 0o71747, "3": 0o71317,
    "4": 0o55711, "5": 0o74717, "6": 0o74757, "7": 0o71122, "8": 0o75757, "9": 0o75717,
    ".": 0o00002, "-": 0o00700, "_": 0o00007, "#": 0o57575, ":": 0o02020, "/": 0o11244,
    "(": 0o12221, ")": 0o42224, "+": 0o02720, " ": 0,
  ]
}
