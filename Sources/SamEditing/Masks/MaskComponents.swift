import SamImageIO

/// The connected pieces of a mask, as horizontal runs with the number of their piece.
///
/// Two rows are compared at a time; runs that touch are united (union–find with path halving).
/// Time is linear in the pixels, memory in the runs.
struct MaskComponents: Sendable {
  /// Which pixels count as neighbours.
  enum Connectivity: Sendable {
    /// Sides only.
    case four
    /// Sides and corners.
    case eight
  }

  /// Adjacent pixels of one row.
  struct Run: Sendable {
    let row: Int32
    let start: Int32
    let end: Int32
    /// The number of the piece; pieces are numbered by their first pixels, row by row.
    fileprivate(set) var piece: Int32

    var columns: Range<Int> { Int(start)..<Int(end) }
  }

  /// Row by row, each from left to right.
  let runs: [Run]
  /// Number of pieces.
  let count: Int

  /// Finds the pieces of 128 and above, or with `flip` 255 those below 128.
  init(
    _ pixels: [UInt8], width: Int, height: Int, connectivity: Connectivity, flip: UInt8 = 0
  ) {
    var runs: [Run] = []
    var sets = DisjointSets()
    let reach: Int32 = connectivity == .eight ? 1 : 0
    pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      var above = 0..<0
      for y in 0..<height {
        let first = runs.count
        Self.scan(base + y * width, width, flip) { start, end in
          runs.append(
            Run(
              row: Int32(truncatingIfNeeded: y), start: Int32(truncatingIfNeeded: start),
              end: Int32(truncatingIfNeeded: end), piece: sets.add()))
        }
        var other = above.lowerBound
        for index in first..<runs.count {
          let run = runs[index]
          // Runs of the row above that end before this one begins touch no later one either.
          while other < above.upperBound, runs[other].end + reach <= run.start { other += 1 }
          var touching = other
          while touching < above.upperBound, runs[touching].start < run.end + reach {
            sets.unite(runs[touching].piece, run.piece)
            touching += 1
          }
        }
        above = first..<runs.count
      }
    }
    var numbers = [Int32](repeating: -1, count: runs.count)
    var count: Int32 = 0
    for index in runs.indices {
      let root = Int(sets.root(runs[index].piece))
      if numbers[root] < 0 {
        numbers[root] = count
        count += 1
      }
      runs[index].piece = numbers[root]
    }
    self.runs = runs
    self.count = Int(count)
  }

  /// Calls `body` with start and end of each run of a row.
  private static func scan(
    _ row: UnsafePointer<UInt8>, _ width: Int, _ flip: UInt8, _ body: (Int, Int) -> Void
  ) {
    var x = 0
    while x < width {
      while x < width, row[x] ^ flip < 128 { x += 1 }
      guard x < width else { return }
      let start = x
      while x < width, row[x] ^ flip >= 128 { x += 1 }
      body(start, x)
    }
  }

  /// Pixels of each piece.
  var areas: [Int] {
    var areas = [Int](repeating: 0, count: count)
    for run in runs { areas[Int(run.piece)] += run.columns.count }
    return areas
  }
}

/// Sets of numbers that are united two at a time.
private struct DisjointSets {
  private var parents: [Int32] = []

  /// Adds the next number as a set of its own.
  mutating func add() -> Int32 {
    let number = Int32(truncatingIfNeeded: parents.count)
    parents.append(number)
    return number
  }

  /// The smallest number of a set.
  mutating func root(_ number: Int32) -> Int32 {
    var number = Int(number)
    while Int(parents[number]) != number {
      parents[number] = parents[Int(parents[number])]
      number = Int(parents[number])
    }
    return Int32(truncatingIfNeeded: number)
  }

  mutating func unite(_ a: Int32, _ b: Int32) {
    let first = root(a)
    let second = root(b)
    if first < second { parents[Int(second)] = first } else { parents[Int(first)] = second }
  }
}
