/// Pillow's filter down a window of lines, two lines at a time.
struct PillowRows: ~Copyable {
  private let filter: PillowFilter
  /// Room for a window's weights and lines; an odd window ends with a line that weighs zero.
  private let weights: RowBuffer<SplitWeights>
  private let lines: RowBuffer<UnsafePointer<UInt8>>

  init(_ filter: PillowFilter) {
    self.filter = filter
    let pairs = (filter.longestWindow + 1) / 2
    weights = RowBuffer(count: pairs, repeating: SplitWeights(0, 0))
    lines = RowBuffer(capacity: pairs * 2)
  }

  /// Makes an output row, `count` bytes, from the input lines that `line` gives.
  borrowing func resize(
    _ row: Int, to target: UnsafeMutablePointer<UInt8>, count: Int,
    line: (Int) -> UnsafePointer<UInt8>
  ) {
    let start = filter.starts[row]
    let taps = filter.counts[row]
    let window = row * filter.longestWindow
    let pairs = (taps + 1) / 2
    for pair in 0..<pairs {
      let tap = pair * 2
      let second = min(tap + 1, taps - 1)
      lines.start[tap] = line(start + tap)
      lines.start[tap + 1] = line(start + second)
      weights.start[pair] = SplitWeights(
        filter.weights[window + tap], second > tap ? filter.weights[window + second] : 0)
    }
    // Short windows, of photographs a little larger than the frame, are loops of a known length.
    switch pairs {
    case 1: addUp(1, to: target, count: count)
    case 2: addUp(2, to: target, count: count)
    default: addUp(pairs, to: target, count: count)
    }
    for x in count / 8 * 8..<count {
      var sum = PillowFilter.half
      for tap in 0..<taps {
        sum &+= Int32(truncatingIfNeeded: lines.start[tap][x]) &* filter.weights[window + tap]
      }
      target[x] = PillowFilter.pixel(sum)
    }
  }

  /// Makes the bytes of the row that fill vectors of eight.
  @inline(__always)
  private borrowing func addUp(_ pairs: Int, to target: UnsafeMutablePointer<UInt8>, count: Int) {
    var x = 0
    while x &+ 8 <= count {
      addUp8(at: x, pairs, to: target)
      x &+= 8
    }
  }

  @inline(__always)
  private borrowing func addUp8(
    at x: Int, _ pairs: Int, to target: UnsafeMutablePointer<UInt8>
  ) {
    var first = PairSums()
    var second = PairSums()
    for pair in 0..<pairs {
      let values = interleavedPairs(
        UnsafeRawPointer(lines.start[pair &* 2] + x).loadUnaligned(as: SIMD8<UInt8>.self),
        UnsafeRawPointer(lines.start[pair &* 2 &+ 1] + x).loadUnaligned(as: SIMD8<UInt8>.self))
      first.add(values.0, times: weights.start[pair])
      second.add(values.1, times: weights.start[pair])
    }
    let (a, b) = (first.total, second.total)
    let bytes = SIMD8(
      PillowFilter.pixel(a.x), PillowFilter.pixel(a.y), PillowFilter.pixel(a.z),
      PillowFilter.pixel(a.w), PillowFilter.pixel(b.x), PillowFilter.pixel(b.y),
      PillowFilter.pixel(b.z), PillowFilter.pixel(b.w))
    UnsafeMutableRawPointer(target + x).storeBytes(of: bytes, as: SIMD8<UInt8>.self)
  }
}
