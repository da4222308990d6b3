#if arch(x86_64)
  import CSamShims.BFloat16
  import KernelInterface
  import KernelTemplates

  /// Thirty-two bfloat16 values as the shims pass them.
  typealias BFloat16Vector = SIMD8<Int64>

  /// Half of ``KernelTemplates/TileRow``'s idea for bfloat16: a row of accumulators that takes in pairs.
  protocol PairRow: TileRow where Vector == SIMD16<Float> {
    /// `self += left.0 · right[2p] + left.1 · right[2p + 1]`; `right` is this row's columns of one pair of inner indices.
    mutating func accumulate(pair left: BFloat16Vector, _ right: UnsafePointer<Float>)
  }

  @inline(__always)
  private func loadPairs(_ pointer: UnsafePointer<Float>) -> BFloat16Vector {
    UnsafeRawPointer(pointer).loadUnaligned(as: BFloat16Vector.self)
  }

  extension TileRow1: PairRow where V == SIMD16<Float> {
    @inline(__always)
    mutating func accumulate(pair left: BFloat16Vector, _ right: UnsafePointer<Float>) {
      a = samDotBFloat16(a, left, loadPairs(right))
    }
  }

  extension TileRow2: PairRow where V == SIMD16<Float> {
    @inline(__always)
    mutating func accumulate(pair left: BFloat16Vector, _ right: UnsafePointer<Float>) {
      a = samDotBFloat16(a, left, loadPairs(right))
      b = samDotBFloat16(b, left, loadPairs(right + 16))
    }
  }

  extension TileRow3: PairRow where V == SIMD16<Float> {
    @inline(__always)
    mutating func accumulate(pair left: BFloat16Vector, _ right: UnsafePointer<Float>) {
      a = samDotBFloat16(a, left, loadPairs(right))
      b = samDotBFloat16(b, left, loadPairs(right + 16))
      c = samDotBFloat16(c, left, loadPairs(right + 32))
    }
  }

  /// One tile: eight rows of converted left values by one panel.
  ///
  /// - Parameters:
  ///   - left: eight rows of pairs, `pairs` apart, of which the first is row `row` of the call.
  ///   - panel: the bias, then a row of columns for each pair.
  @inline(__always)
  private func multiplyTile<R: PairRow>(
    _ call: MatrixCall, row: Int, column: Int, left: UnsafePointer<UInt32>, pairs: Int,
    panel: UnsafePointer<Float>, as: R.Type
  ) {
    let floats = R.width * 16
    var sum0 = R(loading: panel)
    var sum1 = sum0
    var sum2 = sum0
    var sum3 = sum0
    var sum4 = sum0
    var sum5 = sum0
    var sum6 = sum0
    var sum7 = sum0
    let last = call.rows - 1 - row
    let left1 = left + min(1, last) * pairs
    let left2 = left + min(2, last) * pairs
    let left3 = left + min(3, last) * pairs
    let left4 = left + min(4, last) * pairs
    let left5 = left + min(5, last) * pairs
    let left6 = left + min(6, last) * pairs
    let left7 = left + min(7, last) * pairs
    var right = panel + floats
    for p in 0..<pairs {
      sum0.accumulate(pair: broadcast(left[p]), right)
      sum1.accumulate(pair: broadcast(left1[p]), right)
      sum2.accumulate(pair: broadcast(left2[p]), right)
      sum3.accumulate(pair: broadcast(left3[p]), right)
      sum4.accumulate(pair: broadcast(left4[p]), right)
      sum5.accumulate(pair: broadcast(left5[p]), right)
      sum6.accumulate(pair: broadcast(left6[p]), right)
      sum7.accumulate(pair: broadcast(left7[p]), right)
      right += floats
    }
    finishTile(call, row: row, column: column, sum0, sum1, sum2, sum3, sum4, sum5, sum6, sum7)
  }

  @inline(__always)
  private func broadcast(_ pair: UInt32) -> BFloat16Vector {
    unsafeBitCast(SIMD16<UInt32>(repeating: pair), to: BFloat16Vector.self)
  }

  /// Converts one row of the left operand, all segments one after the other, and pads it with a zero to whole pairs.
  @inline(__always)
  private func convertRow(
    _ call: MatrixCall, _ row: Int, _ output: UnsafeMutablePointer<UInt16>
  ) {
    var target = output
    for segment in 0..<call.segments {
      let source = call.left + row * call.leftStride + segment * call.segmentStride
      var k = 0
      while call.innerStride == 1 && k + 32 <= call.segmentLength {
        let low = loadVector(source + k, as: SIMD16<Float>.self)
        let high = loadVector(source + k + 16, as: SIMD16<Float>.self)
        UnsafeMutableRawPointer(target + k)
          .storeBytes(of: samConvertBFloat16(high, low), as: BFloat16Vector.self)
        k += 32
      }
      while k < call.segmentLength {
        target[k] = roundedBFloat16(source[k * call.innerStride])
        k += 1
      }
      target += call.segmentLength
    }
    if call.segments * call.segmentLength % 2 == 1 { target[0] = 0 }
  }

  /// Round to nearest even; NaN stays NaN.
  @inline(__always)
  func roundedBFloat16(_ x: Float) -> UInt16 {
    let bits = x.bitPattern
    if x != x { return UInt16(truncatingIfNeeded: bits >> 16) | 0x40 }
    return UInt16(truncatingIfNeeded: (bits &+ 0x7FFF &+ (bits >> 16 & 1)) >> 16)
  }

  /// A packed product with bfloat16 operands.
  ///
  /// Some rows of the left operand are converted at a time, into less than 64 KB of temporary memory, and all panels
  /// pass over them.
  private func multiplyBFloat16(_ call: MatrixCall, packed: UnsafePointer<Float>) {
    let layout = matrixLayout(SIMD16<Float>.self)
    let inner = call.segments * call.segmentLength
    let pairs = (inner + 1) / 2
    let blockRows = max(8, min(64, (1 << 14) / pairs / 8 * 8))
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: min(blockRows, call.rows) * pairs) {
      converted in
      guard let base = converted.baseAddress else { return }
      var block = 0
      while block < call.rows {
        let rows = min(blockRows, call.rows - block)
        for r in 0..<rows {
          convertRow(
            call, block + r,
            UnsafeMutableRawPointer(base + r * pairs).assumingMemoryBound(to: UInt16.self))
        }
        var left = layout.vectors(call.columns)
        var column = 0
        while left > 0 {
          let width = layout.panelWidth(left: left)
          let panel = packed + column * (pairs + 1)
          var r = 0
          while r < rows {
            let tile = base + r * pairs
            if width == 1 {
              multiplyTile(
                call, row: block + r, column: column, left: tile, pairs: pairs, panel: panel,
                as: TileRow1<SIMD16<Float>>.self)
            } else if width == 2 {
              multiplyTile(
                call, row: block + r, column: column, left: tile, pairs: pairs, panel: panel,
                as: TileRow2<SIMD16<Float>>.self)
            } else {
              multiplyTile(
                call, row: block + r, column: column, left: tile, pairs: pairs, panel: panel,
                as: TileRow3<SIMD16<Float>>.self)
            }
            r += 8
          }
          column += width * 16
          left -= width
        }
        block += rows
      }
    }
  }

  /// Packs as ``MatrixLayout/pack`` does, a pair of inner indices in each 32 bits.
  private func packBFloat16(
    _ matrix: UnsafePointer<Float>, _ innerStride: Int, _ columnStride: Int, _ inner: Int,
    _ columns: Int, _ bias: UnsafePointer<Float>?, _ packed: UnsafeMutablePointer<Float>
  ) {
    let layout = matrixLayout(SIMD16<Float>.self)
    let pairs = (inner + 1) / 2
    var left = layout.vectors(columns)
    var column = 0
    while left > 0 {
      let width = layout.panelWidth(left: left)
      let floats = width * 16
      let panel = packed + column * (pairs + 1)
      for i in 0..<floats {
        let isColumn = column + i < columns
        panel[i] = isColumn ? bias?[column + i] ?? 0 : 0
        let source = matrix + (column + i) * columnStride
        for p in 0..<pairs {
          var bits: UInt32 = 0
          if isColumn {
            bits = UInt32(roundedBFloat16(source[2 * p * innerStride]))
            if 2 * p + 1 < inner {
              bits |= UInt32(roundedBFloat16(source[(2 * p + 1) * innerStride])) << 16
            }
          }
          panel[(p + 1) * floats + i] = Float(bitPattern: bits)
        }
      }
      column += floats
      left -= width
    }
  }

  /// Products of packed weights in bfloat16 with float accumulation; everything else is `float32`'s.
  public func bfloat16MatrixKernels(float32: MatrixKernels) -> MatrixKernels {
    MatrixKernels(
      name: "bfloat16",
      packedCount: { inner, columns in
        matrixLayout(SIMD16<Float>.self).packedCount((inner + 1) / 2, columns)
      },
      pack: packBFloat16,
      multiply: { call in
        switch call.right {
        case .packed(let packed): multiplyBFloat16(call, packed: packed)
        case .rows: float32.multiply(call)
        }
      },
      attentionScratch: float32.attentionScratch,
      attention: float32.attention)
  }
#endif
