/// Resizes 8-bit pictures exactly as Pillow 13's `Image.resize(size, BILINEAR)` does, bit for bit.
///
/// The triangle filter is widened by the scale when shrinking (antialiasing). Weights are fixed
/// point with 22 bits; one direction after the other, with rounding to 8 bits between; a direction
/// whose size does not change is skipped. MobileSAM's published preprocessing is this resize.
///
/// Rows are resized across first, except where the height loses more than twice as many pixels as
/// the width: from version 13 on Pillow goes down first there, which moves about a fifth of the
/// values by one.
///
/// Cost: about `2 · max(1, scale)` multiplications a channel for every value of each pass. Scratch
/// is as many resized rows as one output row reads, for each thread.
package struct PillowBilinearResize: RowResizing {
  package let outputWidth: Int
  package let outputHeight: Int
  /// nil where the size does not change.
  private let columns: PillowFilter?
  /// `columns` for colour.
  private let colorColumns: PillowColumns?
  private let rows: PillowFilter?
  private let goesDownFirst: Bool

  /// Prepares the weights; all sizes are at least 1.
  package init(inputWidth: Int, inputHeight: Int, outputWidth: Int, outputHeight: Int) {
    precondition(
      inputWidth > 0 && inputHeight > 0 && outputWidth > 0 && outputHeight > 0,
      "sizes are at least 1")
    self.outputWidth = outputWidth
    self.outputHeight = outputHeight
    columns =
      inputWidth == outputWidth
      ? nil : PillowFilter(inputSize: inputWidth, outputSize: outputWidth)
    colorColumns = columns.map { PillowColumns($0, inputWidth: inputWidth) }
    rows =
      inputHeight == outputHeight
      ? nil : PillowFilter(inputSize: inputHeight, outputSize: outputHeight)
    let heightLoss = inputHeight - outputHeight
    goesDownFirst = heightLoss > 0 && heightLoss > (inputWidth - outputWidth) * 2
  }

  package func resize(_ picture: Picture, parallelFor: ParallelLoop, sink: @escaping RowSink) {
    picture.withRows { source in
      forEachBand(parallelFor) { band in
        let emitter = RowEmitter(width: outputWidth, channels: source.channels)
        if let rows, goesDownFirst {
          resizeDownThenAcross(band, rows, of: source, emitter, sink: sink)
        } else if let rows {
          resizeAcrossThenDown(band, rows, of: source, emitter, sink: sink)
        } else {
          resizeAcrossOnly(band, of: source, emitter, sink: sink)
        }
      }
    }
  }

  private func resizeAcrossOnly(
    _ band: Range<Int>, of source: PictureRows, _ emitter: borrowing RowEmitter, sink: RowSink
  ) {
    let scratch = PillowColumns.Scratch(colorColumns)
    let output = RowBuffer<UInt8>(capacity: outputWidth * source.channels)
    for y in band {
      resizeAcross(source.row(y), of: source, to: output.start, scratch)
      emitter.emit(y, output.start, to: sink)
    }
  }

  /// Rows resized across are kept in a ring that holds one window.
  private func resizeAcrossThenDown(
    _ band: Range<Int>, _ rows: PillowFilter, of source: PictureRows,
    _ emitter: borrowing RowEmitter, sink: RowSink
  ) {
    let scratch = PillowColumns.Scratch(colorColumns)
    let rowLength = outputWidth * source.channels
    let ringHeight = rows.longestWindow
    let ring = RowBuffer<UInt8>(capacity: ringHeight * rowLength)
    let output = RowBuffer<UInt8>(capacity: rowLength)
    let down = PillowRows(rows)
    var nextRow = 0
    for y in band {
      let start = rows.starts[y]
      let end = start + rows.counts[y]
      nextRow = max(nextRow, start)
      while nextRow < end {
        source.prefetchRow(after: nextRow)
        resizeAcross(
          source.row(nextRow), of: source, to: ring.start + (nextRow % ringHeight) * rowLength,
          scratch)
        nextRow += 1
      }
      let ringStart = ring.start
      down.resize(y, to: output.start, count: rowLength) { row in
        UnsafePointer(ringStart + (row % ringHeight) * rowLength)
      }
      emitter.emit(y, output.start, to: sink)
    }
  }

  private func resizeDownThenAcross(
    _ band: Range<Int>, _ rows: PillowFilter, of source: PictureRows,
    _ emitter: borrowing RowEmitter, sink: RowSink
  ) {
    let scratch = PillowColumns.Scratch(colorColumns)
    let rowLength = source.width * source.pixelStride
    let line = RowBuffer<UInt8>(capacity: rowLength)
    let output = RowBuffer<UInt8>(capacity: outputWidth * source.channels)
    let down = PillowRows(rows)
    for y in band {
      down.resize(y, to: line.start, count: rowLength) { source.row($0) }
      resizeAcross(line.start, of: source, to: output.start, scratch)
      emitter.emit(y, output.start, to: sink)
    }
  }

  /// Resizes one line of the source's pixel layout; alpha is dropped.
  private func resizeAcross(
    _ line: UnsafePointer<UInt8>, of source: PictureRows, to target: UnsafeMutablePointer<UInt8>,
    _ scratch: borrowing PillowColumns.Scratch
  ) {
    guard let columns, let colorColumns else {
      source.copyLine(line, to: target)
      return
    }
    if source.channels == 1 {
      columns.resizeGray(line, to: target, width: outputWidth)
    } else {
      colorColumns.resize(line, stride: source.pixelStride, to: target, scratch)
    }
  }
}
