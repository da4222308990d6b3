#if arch(x86_64)
  import CSamShims.BFloat16
  import KernelInterface
  import KernelTemplates

  /// One tile: eight rows of converted left values by one panel.
  ///
  /// `left` begins with row `row` of the call, and its rows are `pairs` apart; past the call's last row that row is
  /// read again. `panel` holds the bias, then a row of columns for each pair.
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
      sum0.accumulate(pairs: broadcast(left[p]), right, dot)
      sum1.accumulate(pairs: broadcast(left1[p]), right, dot)
      sum2.accumulate(pairs: broadcast(left2[p]), right, dot)
      sum3.accumulate(pairs: broadcast(left3[p]), right, dot)
      sum4.accumulate(pairs: broadcast(left4[p]), right, dot)
      sum5.accumulate(pairs: broadcast(left5[p]), right, dot)
      sum6.accumulate(pairs: broadcast(left6[p]), right, dot)
      sum7.accumulate(pairs: broadcast(left7[p]), right, dot)
      right += floats
    }
    finishTile(call, row: row, column: column, sum0, sum1, sum2, sum3, sum4, sum5, sum6, sum7)
  }

  @inline(__always)
  private func dot(
    _ sum: SIMD16<Float>, _ left: PairVector, _ right: PairVector
  ) -> SIMD16<Float> {
    samDotBFloat16(sum, left, right)
  }

  @inline(__always)
  private func broadcast(_ pair: UInt32) -> PairVector {
    unsafeBitCast(SIMD16<UInt32>(repeating: pair), to: PairVector.self)
  }

  /// Converts rows of the left operand, each with all its segments one after the other and a zero after an odd last value.
  @inline(__always)
  private func convertRows(
    _ call: MatrixCall, _ rows: Range<Int>, _ output: UnsafeMutablePointer<UInt16>
  ) {
    let inner = call.segments * call.segmentLength
    if call.segments == 1, call.leftStride == inner, call.innerStride == 1, inner % 2 == 0 {
      // Rows without gaps on both sides are one long row.
      convert(call.left + rows.lowerBound * inner, 1, rows.count * inner, output)
      return
    }
    var target = output
    for row in rows {
      for segment in 0..<call.segments {
        convert(
          call.left + row * call.leftStride + segment * call.segmentStride, call.innerStride,
          call.segmentLength, target)
        target += call.segmentLength
      }
      if inner % 2 == 1 {
        target[0] = 0
        target += 1
      }
    }
  }

  /// Converts `count` values that are `step` floats apart, multiplied by `scale`.
  @inline(__always)
  func convert(
    _ source: UnsafePointer<Float>, _ step: Int, _ count: Int, scale: Float = 1,
    _ target: UnsafeMutablePointer<UInt16>
  ) {
    let factor = SIMD16<Float>(repeating: scale)
    var k = 0
    while step == 1 && k + 32 <= count {
      let low = loadVector(source + k, as: SIMD16<Float>.self) * factor
      let high = loadVector(source + k + 16, as: SIMD16<Float>.self) * factor
      UnsafeMutableRawPointer(target + k)
        .storeBytes(of: samConvertBFloat16(high, low), as: PairVector.self)
      k += 32
    }
    if step == 1 && k + 16 <= count {
      let low = loadVector(source + k, as: SIMD16<Float>.self) * factor
      let halves = unsafeBitCast(
        samConvertBFloat16(SIMD16<Float>.zero, low), to: SIMD32<UInt16>.self)
      UnsafeMutableRawPointer(target + k).storeBytes(of: halves.lowHalf, as: SIMD16<UInt16>.self)
      k += 16
    }
    while k < count {
      target[k] = roundedBFloat16(source[k * step] * scale)
      k += 1
    }
  }

  /// Round to nearest even; NaN stays NaN.
  @inline(__always)
  func roundedBFloat16(_ x: Float) -> UInt16 {
    let bits = x.bitPattern
    if x != x { return UInt16(truncatingIfNeeded: bits >> 16) | 0x40 }
    return UInt16(truncatingIfNeeded: (bits &+ 0x7FFF &+ (bits >> 16 & 1)) >> 16)
  }

  /// All panels over `rows` rows whose left values are converted: `pairs` pairs a row, one row after the other.
  @inline(__always)
  func multiplyConverted(
    _ call: MatrixCall, left converted: UnsafePointer<UInt32>, pairs: Int,
    packed: UnsafePointer<Float>, firstRow: Int, rows: Int
  ) {
    let layout = matrixLayout(SIMD16<Float>.self)
    var left = layout.vectors(call.columns)
    var column = 0
    while left > 0 {
      let width = layout.panelWidth(left: left)
      let panel = packed + column * (pairs + 1)
      var r = 0
      while r < rows {
        let tile = converted + r * pairs
        if width == 1 {
          multiplyTile(
            call, row: firstRow + r, column: column, left: tile, pairs: pairs, panel: panel,
            as: TileRow1<SIMD16<Float>>.self)
        } else if width == 2 {
          multiplyTile(
            call, row: firstRow + r, column: column, left: tile, pairs: pairs, panel: panel,
            as: TileRow2<SIMD16<Float>>.self)
        } else {
          multiplyTile(
            call, row: firstRow + r, column: column, left: tile, pairs: pairs, panel: panel,
            as: TileRow3<SIMD16<Float>>.self)
        }
        r += 8
      }
      column += width * 16
      left -= width
    }
  }

  /// A packed product with bfloat16 operands.
  ///
  /// Some rows of the left operand are converted at a time, into less than 64 KB of temporary memory, and all panels
  /// pass over them.
  public func multiplyBFloat16(_ call: MatrixCall, packed: UnsafePointer<Float>) {
    let inner = call.segments * call.segmentLength
    let pairs = (inner + 1) / 2
    let blockRows = max(8, min(64, (1 << 14) / pairs / 8 * 8))
    let base = UnsafeMutablePointer<UInt32>.allocate(
      capacity: min(blockRows, max(call.rows, 1)) * pairs)
    defer { base.deallocate() }
    var block = 0
    while block < call.rows {
      let rows = min(blockRows, call.rows - block)
      convertRows(
        call, block..<block + rows,
        UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt16.self))
      multiplyConverted(
        call, left: base, pairs: pairs, packed: packed, firstRow: block, rows: rows)
      block += rows
    }
  }

  /// Floats that ``packBFloat16`` writes.
  public func packedCountBFloat16(_ inner: Int, _ columns: Int) -> Int {
    matrixLayout(SIMD16<Float>.self).packedCount((inner + 1) / 2, columns)
  }

  /// Packs as ``MatrixLayout/pack`` does, a pair of inner indices in each 32 bits.
  public func packBFloat16(
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
#endif
