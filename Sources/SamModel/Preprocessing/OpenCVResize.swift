/// Resizes 8-bit pictures as OpenCV's `resize` does: INTER_AREA to shrink, INTER_LINEAR to grow.
///
/// SamSwift Lite was trained on frames made so. The area mean is OpenCV's three paths: 2×2 in
/// integers, whole-number scales in integers with one float product, anything else in floats with
/// its own table of weights. The linear path is its fixed point with 11 bits a direction.
package struct OpenCVResize: RowResizing {
  package let outputWidth: Int
  package let outputHeight: Int
  private let method: any RowResizing

  /// Chooses the method; all sizes are at least 1, and both directions shrink or both grow (either
  /// may stay equal).
  package init(inputWidth: Int, inputHeight: Int, outputWidth: Int, outputHeight: Int) {
    precondition(
      inputWidth > 0 && inputHeight > 0 && outputWidth > 0 && outputHeight > 0,
      "sizes are at least 1")
    self.outputWidth = outputWidth
    self.outputHeight = outputHeight
    if outputWidth >= inputWidth && outputHeight >= inputHeight {
      method = OpenCVLinearResize(
        inputWidth: inputWidth, inputHeight: inputHeight, outputWidth: outputWidth,
        outputHeight: outputHeight)
      return
    }
    precondition(
      outputWidth <= inputWidth && outputHeight <= inputHeight,
      "one direction grows while the other shrinks")
    if inputWidth.isMultiple(of: outputWidth) && inputHeight.isMultiple(of: outputHeight) {
      method = OpenCVBlockResize(
        blockWidth: inputWidth / outputWidth, blockHeight: inputHeight / outputHeight,
        outputWidth: outputWidth, outputHeight: outputHeight)
    } else {
      method = OpenCVAreaResize(
        inputWidth: inputWidth, inputHeight: inputHeight, outputWidth: outputWidth,
        outputHeight: outputHeight)
    }
  }

  package func resize(_ picture: Picture, parallelFor: ParallelLoop, sink: @escaping RowSink) {
    method.resize(picture, parallelFor: parallelFor, sink: sink)
  }

  /// Input units per output unit, by OpenCV's two divisions: one would differ in the last bit.
  static func scale(from input: Int, to output: Int) -> Double {
    1 / (Double(output) / Double(input))
  }
}

/// The mean over whole blocks: INTER_AREA where both scales are whole numbers.
struct OpenCVBlockResize: RowResizing {
  let blockWidth: Int
  let blockHeight: Int
  let outputWidth: Int
  let outputHeight: Int

  func resize(_ picture: Picture, parallelFor: ParallelLoop, sink: @escaping RowSink) {
    picture.withRows { source in
      forEachBand(parallelFor) { band in
        // 257 bytes add up to 65 535 at most.
        if blockHeight <= 257 {
          resizeBand(band, of: source, columns: UInt16.self, sink: sink)
        } else {
          resizeBand(band, of: source, columns: UInt32.self, sink: sink)
        }
      }
    }
  }

  /// Makes some output rows: adds up the source's rows, then the pixels across each block.
  @inline(__always)
  private func resizeBand<Column: FixedWidthInteger & SIMDScalar>(
    _ band: Range<Int>, of source: PictureRows, columns: Column.Type, sink: RowSink
  ) {
    let lineLength = source.width * source.pixelStride
    let rowLength = outputWidth * source.channels
    let emitter = RowEmitter(width: outputWidth, channels: source.channels)
    // A vector's fourth lane reads or lands on the next pixel, at the end on a spare value.
    let columns = RowBuffer<Column>(count: lineLength + 1, repeating: 0)
    let sums = RowBuffer<UInt32>(count: rowLength + 1, repeating: 0)
    let output = RowBuffer<UInt8>(capacity: rowLength)
    let share = 1 / Float(blockWidth * blockHeight)
    for y in band {
      columns.start.update(repeating: 0, count: lineLength)
      for row in y * blockHeight..<(y + 1) * blockHeight {
        source.prefetchRow(after: row)
        add(source.row(row), to: columns.start, count: lineLength)
      }
      switch (source.pixelStride, blockWidth) {
      case (1, _): addAcrossGray(columns.start, to: sums.start)
      case (let stride, 2): addAcross(columns.start, stride: stride, blockWidth: 2, to: sums.start)
      case (let stride, _):
        addAcross(columns.start, stride: stride, blockWidth: blockWidth, to: sums.start)
      }
      if blockWidth == 2 && blockHeight == 2 {
        for i in 0..<rowLength {
          output.start[i] = UInt8(truncatingIfNeeded: (sums.start[i] &+ 2) &>> 2)
        }
      } else {
        for i in 0..<rowLength {
          output.start[i] = roundedPixel(Float(sums.start[i]) * share)
        }
      }
      emitter.emit(y, output.start, to: sink)
    }
  }

  @inline(__always)
  private func add<Column: FixedWidthInteger>(
    _ line: UnsafePointer<UInt8>, to columns: UnsafeMutablePointer<Column>, count: Int
  ) {
    for i in 0..<count {
      columns[i] &+= Column(truncatingIfNeeded: line[i])
    }
  }

  @inline(__always)
  private func addAcrossGray<Column: FixedWidthInteger>(
    _ columns: UnsafePointer<Column>, to sums: UnsafeMutablePointer<UInt32>
  ) {
    for x in 0..<outputWidth {
      var sum: UInt32 = 0
      for tap in 0..<blockWidth {
        sum &+= UInt32(truncatingIfNeeded: columns[x &* blockWidth &+ tap])
      }
      sums[x] = sum
    }
  }

  /// Adds up the pixels of each block; alpha is dropped.
  @inline(__always)
  private func addAcross<Column: FixedWidthInteger & SIMDScalar>(
    _ columns: UnsafePointer<Column>, stride: Int, blockWidth: Int,
    to sums: UnsafeMutablePointer<UInt32>
  ) {
    var pixel = UnsafeRawPointer(columns)
    for x in 0..<outputWidth {
      var sum = SIMD4<UInt32>.zero
      for _ in 0..<blockWidth {
        let values = pixel.loadUnaligned(as: SIMD4<Column>.self)
        sum &+= SIMD4(
          UInt32(truncatingIfNeeded: values.x), UInt32(truncatingIfNeeded: values.y),
          UInt32(truncatingIfNeeded: values.z), UInt32(truncatingIfNeeded: values.w))
        pixel += stride &* MemoryLayout<Column>.stride
      }
      UnsafeMutableRawPointer(sums + x &* 3).storeBytes(of: sum, as: SIMD4<UInt32>.self)
    }
  }
}

/// The nearest pixel, a half going to the even neighbour, as OpenCV's saturating cast.
@inline(__always)
func roundedPixel(_ value: Float) -> UInt8 {
  // Adding 1.5 · 2²³ leaves the rounded value in the low bits of the float; no call, no branch.
  let magic: Float = 12_582_912
  let rounded = min(max(value, 0), 255) + magic
  return UInt8(truncatingIfNeeded: rounded.bitPattern)
}
