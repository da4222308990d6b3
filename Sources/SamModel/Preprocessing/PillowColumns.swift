/// Pillow's filter across a row of colour pixels, two neighbours at a time.
///
/// A line is first laid out in pairs of pixels, channel beside channel: red, red, green, green,
/// blue, blue, two lanes to spare. Windows begin at a pair and all have the same number of pairs;
/// what lies outside a window weighs zero.
struct PillowColumns: Sendable {
  private let inputWidth: Int
  private let outputWidth: Int
  /// Pairs that every window reads.
  private let pairCount: Int
  private let firstPairs: [Int]
  /// Output width × `pairCount`.
  private let weights: [SplitWeights]

  init(_ filter: PillowFilter, inputWidth: Int) {
    self.inputWidth = inputWidth
    outputWidth = filter.starts.count
    pairCount =
      zip(filter.starts, filter.counts).map { ($0 % 2 + $1 + 1) / 2 }.max() ?? 1
    var weights: [SplitWeights] = []
    weights.reserveCapacity(outputWidth * pairCount)
    for x in 0..<outputWidth {
      func weight(_ pixel: Int) -> Int32 {
        let tap = pixel - filter.starts[x]
        guard 0..<filter.counts[x] ~= tap else { return 0 }
        return filter.weights[x * filter.longestWindow + tap]
      }
      let first = filter.starts[x] / 2 * 2
      for pixel in stride(from: first, to: first + pairCount * 2, by: 2) {
        weights.append(SplitWeights(weight(pixel), weight(pixel + 1)))
      }
    }
    self.weights = weights
    firstPairs = filter.starts.map { $0 / 2 }
  }

  /// Scratch for one line and its sums.
  struct Scratch: ~Copyable {
    fileprivate let pairs: RowBuffer<SIMD8<Int16>>
    fileprivate let sums: RowBuffer<Int32>

    /// Makes room for what `columns` needs; nothing where the width does not change.
    init(_ columns: PillowColumns?) {
      pairs = RowBuffer(
        count: columns.map { ($0.inputWidth + 1) / 2 + $0.pairCount } ?? 0, repeating: .zero)
      // A vector's fourth lane lands on the next pixel, after the last one on this spare value.
      sums = RowBuffer(capacity: columns.map { $0.outputWidth * 3 + 1 } ?? 0)
    }
  }

  /// Resizes the first three channels of a line whose pixels are `stride` bytes apart, 3 or 4.
  func resize(
    _ line: UnsafePointer<UInt8>, stride: Int, to target: UnsafeMutablePointer<UInt8>,
    _ scratch: borrowing Scratch
  ) {
    if stride == 3 {
      layOut(line, stride: 3, to: scratch.pairs.start)
    } else {
      layOut(line, stride: 4, to: scratch.pairs.start)
    }
    // Short windows, of photographs a little larger than the frame, are loops of a known length.
    switch pairCount {
    case 2: addUp(scratch.pairs.start, to: scratch.sums.start, pairCount: 2)
    case 3: addUp(scratch.pairs.start, to: scratch.sums.start, pairCount: 3)
    default: addUp(scratch.pairs.start, to: scratch.sums.start, pairCount: pairCount)
    }
    PillowFilter.finish(scratch.sums.start, to: target, count: outputWidth * 3)
  }

  @inline(__always)
  private func layOut(
    _ line: UnsafePointer<UInt8>, stride: Int, to pairs: UnsafeMutablePointer<SIMD8<Int16>>
  ) {
    // Eight bytes are read for a pair, which may be more than it has, and than a line of two pixels has.
    let length = inputWidth &* stride
    let whole = length < 8 ? 0 : (length &- 8) / (stride &* 2) &+ 1
    let bytes = UnsafeRawPointer(line)
    for pair in 0..<whole {
      let pixels = bytes.loadUnaligned(fromByteOffset: pair &* stride &* 2, as: UInt64.self)
      pairs[pair] = Self.pair(UInt64(littleEndian: pixels), stride: stride)
    }
    for pair in whole..<(inputWidth &+ 1) / 2 {
      var pixels: UInt64 = 0
      let start = pair &* stride &* 2
      for index in 0..<min(stride &* 2, length &- start) {
        pixels |= UInt64(line[start &+ index]) &<< UInt64(index &* 8)
      }
      pairs[pair] = Self.pair(pixels, stride: stride)
    }
  }

  @inline(__always)
  private static func pair(_ pixels: UInt64, stride: Int) -> SIMD8<Int16> {
    let first = unsafeBitCast(pixels.littleEndian, to: SIMD8<UInt8>.self)
    let second = unsafeBitCast(
      (pixels &>> UInt64(stride &* 8)).littleEndian, to: SIMD8<UInt8>.self)
    return interleavedPairs(first, second).0
  }

  @inline(__always)
  private func addUp(
    _ pairs: UnsafePointer<SIMD8<Int16>>, to target: UnsafeMutablePointer<Int32>, pairCount: Int
  ) {
    weights.withUnsafeBufferPointer { weights in
      firstPairs.withUnsafeBufferPointer { firstPairs in
        guard let firstPairs = firstPairs.baseAddress, var weight = weights.baseAddress else {
          return
        }
        for x in 0..<outputWidth {
          let window = pairs + firstPairs[x]
          var sums = PairSums()
          for pair in 0..<pairCount {
            sums.add(window[pair], times: weight[pair])
          }
          weight += pairCount
          UnsafeMutableRawPointer(target + x &* 3).storeBytes(
            of: sums.total, as: SIMD4<Int32>.self)
        }
      }
    }
  }
}
