#if arch(x86_64)
  import CSamShims.BFloat16
  import KernelInterface
  import KernelTemplates

  /// Scratch floats for ``attendBFloat16``: keys and values in pairs, a tile of scores, a tile of left operands.
  public func attentionScratchBFloat16(_ queries: Int, _ keys: Int, _ dimension: Int) -> Int {
    AttentionScratch(keys: keys, dimension: dimension).count
  }

  /// Where the parts of the scratch memory lie.
  private struct AttentionScratch {
    let keyPairs: Int
    let dimensionPairs: Int
    let scoreStride: Int
    let values: Int
    let scores: Int
    let left: Int
    let count: Int

    @inline(__always)
    init(keys: Int, dimension: Int) {
      let layout = matrixLayout(SIMD16<Float>.self)
      keyPairs = (keys + 1) / 2
      dimensionPairs = (dimension + 1) / 2
      scoreStride = layout.vectors(keys) * 16
      values = layout.packedCount(dimensionPairs, keys)
      scores = values + layout.packedCount(keyPairs, dimension)
      left = scores + 8 * scoreStride
      count = left + max(8 * max(keyPairs, dimensionPairs), 16)
    }
  }

  /// One attention head with both products in bfloat16, sums and softmax in float; see ``attendHead`` for its way through
  /// the caches.
  public func attendBFloat16(_ call: AttentionCall) {
    let layout = matrixLayout(SIMD16<Float>.self)
    let parts = AttentionScratch(keys: call.keys, dimension: call.dimension)
    let keys = call.scratch
    let values = call.scratch + parts.values
    let scores = call.scratch + parts.scores
    let left = UnsafeMutableRawPointer(call.scratch + parts.left)
      .assumingMemoryBound(to: UInt32.self)
    packKeys(call, layout, pairs: parts.dimensionPairs, into: keys)
    packValues(call, layout, pairs: parts.keyPairs, into: values)

    var row = 0
    while row < call.queries {
      let rows = min(8, call.queries - row)
      let first = call.query + row * call.queryStride
      if let bias = call.bias {
        // The last row may reach into the left operands, which are converted afterwards.
        for r in 0..<rows {
          spread(
            bias, query: row + r, keys: call.keys, to: scores + r * parts.scoreStride,
            vector: SIMD16<Float>.self)
        }
      }
      for r in 0..<rows {
        convertPairs(
          first + r * call.queryStride, call.dimension, scale: call.scale,
          to: left + r * parts.dimensionPairs)
      }
      multiplyConverted(
        MatrixCall(
          left: first, leftStride: 0, rows: rows, segmentLength: call.dimension,
          right: .packed(keys), columns: call.keys,
          residual: call.bias.map { _ in UnsafePointer(scores) },
          residualStride: parts.scoreStride, output: scores, outputStride: parts.scoreStride),
        left: left, pairs: parts.dimensionPairs, packed: keys, firstRow: 0, rows: rows)
      softmax(scores, rows, call.keys, parts.scoreStride, vector: SIMD16<Float>.self)
      for r in 0..<rows {
        convertPairs(
          scores + r * parts.scoreStride, call.keys, scale: 1, to: left + r * parts.keyPairs)
      }
      multiplyConverted(
        MatrixCall(
          left: scores, leftStride: 0, rows: rows, segmentLength: call.keys,
          right: .packed(values), columns: call.dimension,
          output: call.output + row * call.outputStride, outputStride: call.outputStride),
        left: left, pairs: parts.keyPairs, packed: values, firstRow: 0, rows: rows)
      row += rows
    }
  }

  /// Converts `count` scaled floats to whole pairs, a zero behind an odd last one.
  @inline(__always)
  private func convertPairs(
    _ source: UnsafePointer<Float>, _ count: Int, scale: Float,
    to target: UnsafeMutablePointer<UInt32>
  ) {
    let output = UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt16.self)
    convert(source, 1, count, scale: scale, output)
    if count % 2 == 1 { output[count] = 0 }
  }

  /// Keys as the right operand of `query · keyᵀ`: for each pair of channels, the keys' pairs side by side.
  @inline(__always)
  private func packKeys(
    _ call: AttentionCall, _ layout: MatrixLayout, pairs: Int,
    into packed: UnsafeMutablePointer<Float>
  ) {
    var left = layout.vectors(call.keys)
    var column = 0
    // One key's pairs on their way from a row to a column.
    var row = SIMD32<UInt32>()
    while left > 0 {
      let width = layout.panelWidth(left: left)
      let floats = width * 16
      let panel = packed + column * (pairs + 1)
      panel.update(repeating: 0, count: floats)
      for i in 0..<floats {
        guard column + i < call.keys else {
          for p in 0..<pairs { panel[(p + 1) * floats + i] = 0 }
          continue
        }
        let source = call.key + (column + i) * call.keyStride
        var channel = 0
        while channel < pairs {
          let count = min(32, pairs - channel)
          withUnsafeMutableBytes(of: &row) { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt32.self) else { return }
            convertPairs(
              source + 2 * channel, min(2 * count, call.dimension - 2 * channel), scale: 1, to: base
            )
            for p in 0..<count {
              panel[(channel + p + 1) * floats + i] = Float(bitPattern: base[p])
            }
          }
          channel += count
        }
      }
      column += floats
      left -= width
    }
  }

  /// Values as the right operand of `weights · value`: for each pair of keys, their channels interleaved.
  @inline(__always)
  private func packValues(
    _ call: AttentionCall, _ layout: MatrixLayout, pairs: Int,
    into packed: UnsafeMutablePointer<Float>
  ) {
    var left = layout.vectors(call.dimension)
    var column = 0
    while left > 0 {
      let width = layout.panelWidth(left: left)
      let floats = width * 16
      let panel = packed + column * (pairs + 1)
      panel.update(repeating: 0, count: floats)
      for p in 0..<pairs {
        for v in 0..<width {
          let first = column + 16 * v
          let even = loadValues(call, key: 2 * p, first)
          let odd = loadValues(call, key: 2 * p + 1, first)
          let halves = unsafeBitCast(samConvertBFloat16(odd, even), to: SIMD32<UInt16>.self)
          let bits =
            SIMD16<UInt32>(truncatingIfNeeded: halves.lowHalf)
            | SIMD16<UInt32>(truncatingIfNeeded: halves.highHalf) &<< 16
          UnsafeMutableRawPointer(panel + (p + 1) * floats + 16 * v)
            .storeBytes(of: bits, as: SIMD16<UInt32>.self)
        }
      }
      column += floats
      left -= width
    }
  }

  /// Sixteen channels of one key's value, zero where there are none.
  @inline(__always)
  private func loadValues(_ call: AttentionCall, key: Int, _ first: Int) -> SIMD16<Float> {
    guard key < call.keys else { return SIMD16<Float>.zero }
    let source = call.value + key * call.valueStride + first
    let count = call.dimension - first
    return count >= 16
      ? loadVector(source, as: SIMD16<Float>.self)
      : loadPart(source, count, filler: 0, as: SIMD16<Float>.self)
  }
#endif
