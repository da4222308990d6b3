/// Bilinear interpolation in OpenCV's fixed point: INTER_LINEAR where the picture grows.
struct OpenCVLinearResize: RowResizing {
  let outputWidth: Int
  let outputHeight: Int
  private let columns: LinearTable
  private let rows: LinearTable

  init(inputWidth: Int, inputHeight: Int, outputWidth: Int, outputHeight: Int) {
    self.outputWidth = outputWidth
    self.outputHeight = outputHeight
    columns = LinearTable(inputSize: inputWidth, outputSize: outputWidth)
    rows = LinearTable(inputSize: inputHeight, outputSize: outputHeight)
  }

  func resize(_ picture: Picture, parallelFor: ParallelLoop, sink: @escaping RowSink) {
    picture.withRows { source in
      forEachBand(parallelFor) { band in
        resizeBand(band, of: source, sink: sink)
      }
    }
  }

  /// Makes some output rows; the two source rows last resized across are kept.
  private func resizeBand(_ band: Range<Int>, of source: PictureRows, sink: RowSink) {
    let rowLength = outputWidth * source.channels
    let emitter = RowEmitter(width: outputWidth, channels: source.channels)
    let buffer = UnsafeMutablePointer<Int32>.allocate(capacity: rowLength * 2)
    defer { buffer.deallocate() }
    let output = UnsafeMutablePointer<UInt8>.allocate(capacity: rowLength)
    defer { output.deallocate() }
    // A row sits in the half that its parity names: neighbours never share one.
    var rowsInBuffer = (even: -1, odd: -1)
    for y in band {
      for row in [rows.lower[y], rows.upper[y]] {
        let isOdd = !row.isMultiple(of: 2)
        if row == (isOdd ? rowsInBuffer.odd : rowsInBuffer.even) { continue }
        resizeAcross(row, of: source, to: buffer + (isOdd ? rowLength : 0))
        if isOdd {
          rowsInBuffer.odd = row
        } else {
          rowsInBuffer.even = row
        }
      }
      let first = buffer + (rows.lower[y].isMultiple(of: 2) ? 0 : rowLength)
      let second = buffer + (rows.upper[y].isMultiple(of: 2) ? 0 : rowLength)
      let firstWeight = rows.lowerWeights[y]
      let secondWeight = rows.upperWeights[y]
      // OpenCV's 16-bit products: 4 bits dropped before, 16 after, the last 2 with rounding.
      for i in 0..<rowLength {
        let sum =
          (firstWeight &* (first[i] &>> 4)) &>> 16 &+ (secondWeight &* (second[i] &>> 4)) &>> 16
        output[i] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
      }
      emitter.emit(y, output, to: sink)
    }
  }

  private func resizeAcross(
    _ row: Int, of source: PictureRows, to target: UnsafeMutablePointer<Int32>
  ) {
    let line = source.row(row)
    let channels = source.channels
    for x in 0..<outputWidth {
      let first = line + columns.lower[x] * source.pixelStride
      let second = line + columns.upper[x] * source.pixelStride
      let firstWeight = columns.lowerWeights[x]
      let secondWeight = columns.upperWeights[x]
      for channel in 0..<channels {
        target[x * channels + channel] =
          Int32(truncatingIfNeeded: first[channel]) &* firstWeight
          &+ Int32(truncatingIfNeeded: second[channel]) &* secondWeight
      }
    }
  }
}

/// For every output position, the two input positions around it and their weights of 2048.
private struct LinearTable: Sendable {
  let lower: [Int]
  let upper: [Int]
  let lowerWeights: [Int32]
  let upperWeights: [Int32]

  init(inputSize: Int, outputSize: Int) {
    let scale = OpenCVResize.scale(from: inputSize, to: outputSize)
    var lower: [Int] = []
    var upper: [Int] = []
    var lowerWeights: [Int32] = []
    var upperWeights: [Int32] = []
    for position in 0..<outputSize {
      let place = Float((Double(position) + 0.5) * scale - 0.5)
      let base = place.rounded(.down)
      let fraction = place - base
      let index = Int(base)
      lower.append(min(max(index, 0), inputSize - 1))
      upper.append(min(max(index + 1, 0), inputSize - 1))
      lowerWeights.append(Int32(((1 - fraction) * 2048).rounded(.toNearestOrEven)))
      upperWeights.append(Int32((fraction * 2048).rounded(.toNearestOrEven)))
    }
    self.lower = lower
    self.upper = upper
    self.lowerWeights = lowerWeights
    self.upperWeights = upperWeights
  }
}
