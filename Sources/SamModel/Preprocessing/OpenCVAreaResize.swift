/// The mean over fractional cells: INTER_AREA where a scale is not a whole number.
///
/// Each source row is resized across, then added to the output rows that it touches. A sum takes
/// its pixels in order, one product and one addition each, as OpenCV's does: only so are the bits
/// the same. Vectors therefore run over the channels of a pixel across, over the row down.
///
/// Cost: about `scale + 1` multiplications a channel for every value of each pass.
struct OpenCVAreaResize: RowResizing {
  let outputWidth: Int
  let outputHeight: Int
  private let columns: AreaTable
  /// The columns' weights, each in four lanes: a vector's load is cheaper than spreading a float.
  private let columnWeights: [SIMD4<Float>]
  private let rows: AreaTable

  init(inputWidth: Int, inputHeight: Int, outputWidth: Int, outputHeight: Int) {
    self.outputWidth = outputWidth
    self.outputHeight = outputHeight
    columns = AreaTable(inputSize: inputWidth, outputSize: outputWidth)
    columnWeights = columns.weights.map { SIMD4(repeating: $0) }
    rows = AreaTable(inputSize: inputHeight, outputSize: outputHeight)
  }

  func resize(_ picture: Picture, parallelFor: ParallelLoop, sink: @escaping RowSink) {
    picture.withRows { source in
      forEachBand(parallelFor) { band in
        resizeBand(band, of: source, sink: sink)
      }
    }
  }

  private func resizeBand(_ band: Range<Int>, of source: PictureRows, sink: RowSink) {
    let rowLength = outputWidth * source.channels
    let emitter = RowEmitter(width: outputWidth, channels: source.channels)
    // Windows that are shorter than the longest read on past the row, with weights of zero.
    let line = RowBuffer<Float>(
      count: (source.width + columns.longestWindow + 1) * source.pixelStride, repeating: 0)
    // A vector's fourth lane lands on the next pixel, after the last one on this spare float.
    let across = RowBuffer<Float>(count: rowLength + 1, repeating: 0)
    let sums = RowBuffer<Float>(count: rowLength, repeating: 0)
    let output = RowBuffer<UInt8>(count: rowLength, repeating: 0)
    // Neighbouring cells share the source row that their border cuts.
    var rowInAcross = -1
    for y in band {
      sums.start.update(repeating: 0, count: rowLength)
      for tap in 0..<rows.counts[y] {
        let row = rows.starts[y] + tap
        if row != rowInAcross {
          source.prefetchRow(after: row)
          resizeAcross(source.row(row), of: source, line.start, to: across.start)
          rowInAcross = row
        }
        add(
          across.start, times: rows.weights[y * rows.longestWindow + tap], to: sums.start,
          count: rowLength)
      }
      round(sums.start, to: output.start, count: rowLength)
      emitter.emit(y, output.start, to: sink)
    }
  }

  /// Resizes a row of the source across; `line` is scratch for its pixels as floats.
  private func resizeAcross(
    _ row: UnsafePointer<UInt8>, of source: PictureRows, _ line: UnsafeMutablePointer<Float>,
    to target: UnsafeMutablePointer<Float>
  ) {
    guard source.channels == 3 else {
      resizeGray(row, to: target)
      return
    }
    widen(row, to: line, count: source.width * source.pixelStride)
    if source.pixelStride == 3 {
      resizeColor(line, stride: 3, to: target)
    } else {
      resizeColor(line, stride: 4, to: target)
    }
  }

  private func widen(
    _ bytes: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    for i in 0..<count {
      target[i] = Float(bytes[i])
    }
  }

  private func add(
    _ line: UnsafePointer<Float>, times weight: Float, to sums: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    for i in 0..<count {
      sums[i] += weight * line[i]
    }
  }

  private func round(
    _ sums: UnsafePointer<Float>, to target: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    for i in 0..<count {
      target[i] = roundedPixel(sums[i])
    }
  }

  private func resizeGray(_ row: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<Float>) {
    columns.starts.withUnsafeBufferPointer { starts in
      columns.counts.withUnsafeBufferPointer { counts in
        columns.weights.withUnsafeBufferPointer { weights in
          guard var window = weights.baseAddress else { return }
          for x in 0..<outputWidth {
            let pixels = row + starts[x]
            var sum: Float = 0
            for tap in 0..<counts[x] {
              sum += Float(pixels[tap]) * window[tap]
            }
            window += columns.longestWindow
            target[x] = sum
          }
        }
      }
    }
  }

  @inline(__always)
  private func resizeColor(
    _ line: UnsafePointer<Float>, stride: Int, to target: UnsafeMutablePointer<Float>
  ) {
    // Short windows, of photographs a few times the frame, are loops of a known length.
    switch columns.longestWindow {
    case 3: resizeColor(line, stride: stride, to: target, window: 3)
    case 4: resizeColor(line, stride: stride, to: target, window: 4)
    default: resizeColor(line, stride: stride, to: target, window: columns.longestWindow)
    }
  }

  @inline(__always)
  private func resizeColor(
    _ line: UnsafePointer<Float>, stride: Int, to target: UnsafeMutablePointer<Float>, window: Int
  ) {
    columns.starts.withUnsafeBufferPointer { starts in
      columnWeights.withUnsafeBufferPointer { weights in
        guard let starts = starts.baseAddress, var weight = weights.baseAddress else { return }
        for x in 0..<outputWidth {
          var pixel = UnsafeRawPointer(line + starts[x] &* stride)
          var sum = SIMD4<Float>.zero
          for _ in 0..<window {
            sum += pixel.loadUnaligned(as: SIMD4<Float>.self) * weight.pointee
            pixel += stride &* MemoryLayout<Float>.stride
            weight += 1
          }
          UnsafeMutableRawPointer(target + x &* 3).storeBytes(of: sum, as: SIMD4<Float>.self)
        }
      }
    }
  }
}

/// For every output cell, the input pixels that it covers and the share of each.
private struct AreaTable: Sendable {
  let starts: [Int]
  let counts: [Int]
  /// Room for this many weights at every cell; those beyond its count are zero.
  let longestWindow: Int
  /// Output size × `longestWindow`.
  let weights: [Float]

  init(inputSize: Int, outputSize: Int) {
    let scale = OpenCVResize.scale(from: inputSize, to: outputSize)
    var starts: [Int] = []
    var counts: [Int] = []
    var shares: [Float] = []
    for position in 0..<outputSize {
      let cellStart = Double(position) * scale
      let cellEnd = cellStart + scale
      let cellSize = min(scale, Double(inputSize) - cellStart)
      let lastWhole = min(Int(cellEnd.rounded(.down)), inputSize - 1)
      let firstWhole = min(Int(cellStart.rounded(.up)), lastWhole)
      var start = firstWhole
      let offset = shares.count
      // A sliver under a thousandth of a pixel is left out, as OpenCV does.
      if Double(firstWhole) - cellStart > 1e-3 {
        start -= 1
        shares.append(Float((Double(firstWhole) - cellStart) / cellSize))
      }
      for _ in firstWhole..<lastWhole {
        shares.append(Float(1 / cellSize))
      }
      if cellEnd - Double(lastWhole) > 1e-3 {
        shares.append(
          Float(min(min(cellEnd - Double(lastWhole), 1), cellSize) / cellSize))
      }
      starts.append(start)
      counts.append(shares.count - offset)
    }
    let longest = counts.max() ?? 1
    var weights = [Float](repeating: 0, count: outputSize * longest)
    var next = 0
    for position in 0..<outputSize {
      for tap in 0..<counts[position] {
        weights[position * longest + tap] = shares[next]
        next += 1
      }
    }
    self.starts = starts
    self.counts = counts
    longestWindow = longest
    self.weights = weights
  }
}
