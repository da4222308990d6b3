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
        resizeBand(band, of: source, sink: sink)
      }
    }
  }

  private func resizeBand(_ band: Range<Int>, of source: PictureRows, sink: RowSink) {
    let rowLength = outputWidth * source.channels
    let emitter = RowEmitter(width: outputWidth, channels: source.channels)
    let sums = UnsafeMutablePointer<UInt32>.allocate(capacity: rowLength)
    defer { sums.deallocate() }
    let output = UnsafeMutablePointer<UInt8>.allocate(capacity: rowLength)
    defer { output.deallocate() }
    let share = 1 / Float(blockWidth * blockHeight)
    for y in band {
      sums.update(repeating: 0, count: rowLength)
      for row in y * blockHeight..<(y + 1) * blockHeight {
        addBlocks(of: source.row(row), stride: source.pixelStride, to: sums, source.channels)
      }
      if blockWidth == 2 && blockHeight == 2 {
        for i in 0..<rowLength {
          output[i] = UInt8(truncatingIfNeeded: (sums[i] &+ 2) &>> 2)
        }
      } else {
        for i in 0..<rowLength {
          output[i] = roundedPixel(Float(sums[i]) * share)
        }
      }
      emitter.emit(y, output, to: sink)
    }
  }

  private func addBlocks(
    of line: UnsafePointer<UInt8>, stride: Int, to sums: UnsafeMutablePointer<UInt32>,
    _ channels: Int
  ) {
    var pixel = line
    if channels == 1 {
      for x in 0..<outputWidth {
        var sum: UInt32 = 0
        for _ in 0..<blockWidth {
          sum &+= UInt32(pixel[0])
          pixel += stride
        }
        sums[x] &+= sum
      }
      return
    }
    for x in 0..<outputWidth {
      var red: UInt32 = 0
      var green: UInt32 = 0
      var blue: UInt32 = 0
      for _ in 0..<blockWidth {
        red &+= UInt32(pixel[0])
        green &+= UInt32(pixel[1])
        blue &+= UInt32(pixel[2])
        pixel += stride
      }
      sums[x * 3] &+= red
      sums[x * 3 + 1] &+= green
      sums[x * 3 + 2] &+= blue
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
