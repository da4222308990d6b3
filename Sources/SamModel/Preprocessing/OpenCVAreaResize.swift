/// The mean over fractional cells: INTER_AREA where a scale is not a whole number.
struct OpenCVAreaResize: RowResizing {
  let outputWidth: Int
  let outputHeight: Int
  private let columns: AreaTable
  private let rows: AreaTable

  init(inputWidth: Int, inputHeight: Int, outputWidth: Int, outputHeight: Int) {
    self.outputWidth = outputWidth
    self.outputHeight = outputHeight
    columns = AreaTable(inputSize: inputWidth, outputSize: outputWidth)
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
    let across = UnsafeMutablePointer<Float>.allocate(capacity: rowLength)
    defer { across.deallocate() }
    let sums = UnsafeMutablePointer<Float>.allocate(capacity: rowLength)
    defer { sums.deallocate() }
    let output = UnsafeMutablePointer<UInt8>.allocate(capacity: rowLength)
    defer { output.deallocate() }
    // Neighbouring cells share the source row that their border cuts.
    var rowInAcross = -1
    for y in band {
      sums.update(repeating: 0, count: rowLength)
      for (tap, row) in (rows.starts[y]..<rows.starts[y] + rows.counts[y]).enumerated() {
        if row != rowInAcross {
          resizeAcross(source.row(row), of: source, to: across)
          rowInAcross = row
        }
        let weight = rows.weights[rows.offsets[y] + tap]
        for i in 0..<rowLength {
          sums[i] += weight * across[i]
        }
      }
      for i in 0..<rowLength {
        output[i] = roundedPixel(sums[i])
      }
      emitter.emit(y, output, to: sink)
    }
  }

  private func resizeAcross(
    _ line: UnsafePointer<UInt8>, of source: PictureRows, to target: UnsafeMutablePointer<Float>
  ) {
    columns.weights.withUnsafeBufferPointer { weights in
      columns.starts.withUnsafeBufferPointer { starts in
        columns.counts.withUnsafeBufferPointer { counts in
          guard var weight = weights.baseAddress else { return }
          if source.channels == 1 {
            for x in 0..<outputWidth {
              let pixels = line + starts[x]
              var sum: Float = 0
              for tap in 0..<counts[x] {
                sum += Float(pixels[tap]) * weight[tap]
              }
              weight += counts[x]
              target[x] = sum
            }
            return
          }
          let stride = source.pixelStride
          for x in 0..<outputWidth {
            var pixel = line + starts[x] * stride
            var red: Float = 0
            var green: Float = 0
            var blue: Float = 0
            for tap in 0..<counts[x] {
              red += Float(pixel[0]) * weight[tap]
              green += Float(pixel[1]) * weight[tap]
              blue += Float(pixel[2]) * weight[tap]
              pixel += stride
            }
            weight += counts[x]
            target[x * 3] = red
            target[x * 3 + 1] = green
            target[x * 3 + 2] = blue
          }
        }
      }
    }
  }
}

/// For every output cell, the input pixels that it covers and the share of each.
private struct AreaTable: Sendable {
  let starts: [Int]
  let counts: [Int]
  /// Where the weights of a cell begin in `weights`.
  let offsets: [Int]
  let weights: [Float]

  init(inputSize: Int, outputSize: Int) {
    let scale = OpenCVResize.scale(from: inputSize, to: outputSize)
    var starts: [Int] = []
    var counts: [Int] = []
    var offsets: [Int] = []
    var weights: [Float] = []
    for position in 0..<outputSize {
      let cellStart = Double(position) * scale
      let cellEnd = cellStart + scale
      let cellSize = min(scale, Double(inputSize) - cellStart)
      let lastWhole = min(Int(cellEnd.rounded(.down)), inputSize - 1)
      let firstWhole = min(Int(cellStart.rounded(.up)), lastWhole)
      var start = firstWhole
      let offset = weights.count
      // A sliver under a thousandth of a pixel is left out, as OpenCV does.
      if Double(firstWhole) - cellStart > 1e-3 {
        start -= 1
        weights.append(Float((Double(firstWhole) - cellStart) / cellSize))
      }
      for _ in firstWhole..<lastWhole {
        weights.append(Float(1 / cellSize))
      }
      if cellEnd - Double(lastWhole) > 1e-3 {
        weights.append(
          Float(min(min(cellEnd - Double(lastWhole), 1), cellSize) / cellSize))
      }
      starts.append(start)
      counts.append(weights.count - offset)
      offsets.append(offset)
    }
    self.starts = starts
    self.counts = counts
    self.offsets = offsets
    self.weights = weights
  }
}
