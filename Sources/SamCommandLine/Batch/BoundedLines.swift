/// Cuts a stream of bytes into lines without ever holding more than one line of the longest length.
struct BoundedLines {
  enum Line: Sendable {
    /// The bytes before the line break; the last line may have none.
    case text([UInt8], isTerminated: Bool)
    /// A line that is longer than the limit; it has been read past.
    case tooLong(limit: Int)
  }

  private let limit: Int
  private let read: () throws(FileError) -> [UInt8]
  private var chunk: ArraySlice<UInt8> = []
  private var isAtEnd = false

  /// `read` gives the next bytes, and none at the end.
  init(limit: Int, read: @escaping () throws(FileError) -> [UInt8]) {
    self.limit = limit
    self.read = read
  }

  /// The next line, or nil at the end.
  mutating func next() throws(FileError) -> Line? {
    var line: [UInt8] = []
    var isTooLong = false
    while true {
      if chunk.isEmpty {
        if !isAtEnd { chunk = try read()[...] }
        if chunk.isEmpty {
          isAtEnd = true
          if isTooLong { return .tooLong(limit: limit) }
          return line.isEmpty ? nil : .text(line, isTerminated: false)
        }
      }
      let end = chunk.firstIndex(of: UInt8(ascii: "\n"))
      let piece = chunk[..<(end ?? chunk.endIndex)]
      if line.count + piece.count > limit {
        isTooLong = true
        line = []
      } else if !isTooLong {
        line += piece
      }
      chunk = chunk[(end.map { $0 + 1 } ?? chunk.endIndex)...]
      if end != nil { return isTooLong ? .tooLong(limit: limit) : .text(line, isTerminated: true) }
    }
  }
}
