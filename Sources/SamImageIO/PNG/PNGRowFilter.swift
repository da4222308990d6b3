/// PNG's row filters: each row is written as differences to its neighbours, whichever way makes them
/// smallest.
///
/// The choice is the specification's own heuristic: the filter with the least sum of absolute values.
final class PNGRowFilter {
  /// Bytes of a row.
  private let length: Int
  /// Bytes of a pixel: how far back the neighbour to the left lies.
  private let step: Int
  /// A row for each of the four filters that change it.
  private let candidates: UnsafeMutablePointer<UInt8>

  private static let count = 4

  init(length: Int, step: Int) {
    self.length = length
    self.step = step
    candidates = .allocate(capacity: Self.count * length)
  }

  deinit {
    candidates.deallocate()
  }

  /// Writes a row after the byte that names its filter: `length + 1` bytes.
  ///
  /// `step` zeros lie before `row` and before `above`, the row above it (zeros for the first).
  func write(
    _ row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>,
    to output: UnsafeMutablePointer<UInt8>
  ) {
    // Where both rows are zero, every filter gives zeros: a piece that changes little of a picture is
    // mostly that.
    let first = zeros(row, above)
    output.update(repeating: 0, count: length + 1)
    guard first < length else { return }
    let end = min(length, length - zerosAtEnd(row, above) + step)
    let span = first..<end
    var least = Self.cost(row + first, span.count)
    var best = 0
    for filter in 1...Self.count where least > 0 {
      let candidate = candidates + (filter - 1) * length
      apply(filter, row, above, span, candidate)
      let cost = Self.cost(candidate + first, span.count)
      if cost < least { (least, best) = (cost, filter) }
    }
    output[0] = UInt8(truncatingIfNeeded: best)
    let source = best == 0 ? row : UnsafePointer(candidates + (best - 1) * length)
    (output + 1 + first).update(from: source + first, count: span.count)
  }

  /// How many bytes both rows begin with that are zero.
  private func zeros(_ row: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>) -> Int {
    var i = 0
    while i + 8 <= length, Self.word(row + i) | Self.word(above + i) == 0 { i += 8 }
    while i < length, row[i] | above[i] == 0 { i += 1 }
    return i
  }

  /// How many bytes both rows end with that are zero; one of them holds another byte.
  private func zerosAtEnd(_ row: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>) -> Int {
    var i = length
    while i >= 8, Self.word(row + i - 8) | Self.word(above + i - 8) == 0 { i -= 8 }
    while i > 0, row[i - 1] | above[i - 1] == 0 { i -= 1 }
    return length - i
  }

  private static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
  }

  /// The sum of the bytes' sizes as signed numbers; −128 counts 128.
  private static func cost(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
    var sum: UInt32 = 0
    // At most 128 · 4 · 1 000 000.
    for i in 0..<count { sum &+= UInt32(min(bytes[i], 0 &- bytes[i])) }
    return sum
  }

  private func apply(
    _ filter: Int, _ row: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ span: Range<Int>,
    _ output: UnsafeMutablePointer<UInt8>
  ) {
    let left = row - step
    let corner = above - step
    switch filter {
    case 1:
      for i in span { output[i] = row[i] &- left[i] }
    case 2:
      for i in span { output[i] = row[i] &- above[i] }
    case 3:
      for i in span {
        output[i] = row[i] &- UInt8(truncatingIfNeeded: (UInt16(left[i]) &+ UInt16(above[i])) >> 1)
      }
    default:
      for i in span { output[i] = row[i] &- Self.paeth(left[i], above[i], corner[i]) }
    }
  }

  /// Paeth's predictor: whichever of left, above and upper left is nearest to left + above − upper left.
  @inline(__always)
  private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let down = Int16(above) &- Int16(corner)
    let right = Int16(left) &- Int16(corner)
    let both = down &+ right
    let toLeft = max(down, 0 &- down)
    let toAbove = max(right, 0 &- right)
    let toCorner = max(both, 0 &- both)
    let other = toAbove <= toCorner ? above : corner
    return toLeft <= min(toAbove, toCorner) ? left : other
  }
}
