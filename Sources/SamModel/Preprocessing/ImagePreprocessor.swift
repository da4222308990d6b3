/// Turns a picture into the frame that the encoder sees: resized, normalised, then padded.
///
/// The order matters: padding is zero *after* normalisation, which is the mean colour, not black.
package struct ImagePreprocessor: Sendable {
  /// How the picture is brought to the frame's size.
  package enum Resizing: Sendable {
    /// Pillow's antialiased bilinear filter, as MobileSAM's published preprocessing.
    case pillowBilinear
    /// OpenCV's area mean when shrinking and bilinear when growing, as SamSwift Lite was trained.
    case openCVArea
  }

  private let resizing: Resizing
  private let normaliser: PixelNormaliser

  /// Prepares the normalisation.
  ///
  /// - Parameters:
  ///   - mean: of red, green, blue, on the scale 0 to 255.
  ///   - standardDeviation: of red, green, blue, on the same scale.
  ///   - resizing: the filter that the network was trained with.
  package init(mean: [Float], standardDeviation: [Float], resizing: Resizing) {
    self.resizing = resizing
    normaliser = PixelNormaliser(mean: mean, standardDeviation: standardDeviation)
  }

  /// Writes the frame, NHWC: `paddedHeight` rows of `paddedWidth × 3` floats.
  ///
  /// The result is the same for every way of running `parallelFor`. Scratch is a few rows a thread.
  ///
  /// - Parameters:
  ///   - picture: of the size that `geometry` was made for.
  ///   - geometry: where the picture lies in the frame.
  ///   - frame: room for the frame.
  ///   - rowStride: floats from one row to the next, at least `paddedWidth × 3`.
  ///   - parallelFor: runs independent iterations.
  /// - Throws: ``ModelError/badPicture(reason:)`` where the sizes and pixels do not belong together.
  package func writeFrame(
    of picture: Picture, geometry: FrameGeometry, into frame: UnsafeMutableBufferPointer<Float>,
    rowStride: Int, parallelFor: ParallelLoop
  ) throws(ModelError) {
    try check(picture, against: geometry)
    let rowLength = geometry.paddedWidth * 3
    precondition(
      rowStride >= rowLength
        && frame.count >= (geometry.paddedHeight - 1) * rowStride + rowLength,
      "the buffer holds the frame")
    guard let frameStart = frame.baseAddress else { return }
    // Each row is written by one iteration only.
    nonisolated(unsafe) let start = frameStart
    resizer(for: geometry).resize(picture, parallelFor: parallelFor) { [normaliser] y, rgb in
      let row = start + y * rowStride
      normaliser.write(rgb, to: row)
      (row + rgb.count).update(repeating: 0, count: rowLength - rgb.count)
    }
    for y in geometry.resizedHeight..<geometry.paddedHeight {
      (start + y * rowStride).update(repeating: 0, count: rowLength)
    }
  }

  private func resizer(for geometry: FrameGeometry) -> any RowResizing {
    if geometry.imageWidth == geometry.resizedWidth
      && geometry.imageHeight == geometry.resizedHeight
    {
      return UnchangedRows(
        outputWidth: geometry.resizedWidth, outputHeight: geometry.resizedHeight)
    }
    switch resizing {
    case .pillowBilinear:
      return PillowBilinearResize(
        inputWidth: geometry.imageWidth, inputHeight: geometry.imageHeight,
        outputWidth: geometry.resizedWidth, outputHeight: geometry.resizedHeight)
    case .openCVArea:
      return OpenCVResize(
        inputWidth: geometry.imageWidth, inputHeight: geometry.imageHeight,
        outputWidth: geometry.resizedWidth, outputHeight: geometry.resizedHeight)
    }
  }

  private func check(_ picture: Picture, against geometry: FrameGeometry) throws(ModelError) {
    guard picture.width > 0, picture.height > 0 else {
      throw .badPicture(
        reason: "it has no pixels: its size is \(picture.width) × \(picture.height)")
    }
    guard picture.channels == 1 || picture.channels == 3 || picture.channels == 4 else {
      throw .badPicture(reason: "it has \(picture.channels) channels; 1, 3 or 4 are possible")
    }
    let (area, areaOverflow) = picture.width.multipliedReportingOverflow(by: picture.height)
    let (count, countOverflow) = area.multipliedReportingOverflow(by: picture.channels)
    guard !areaOverflow, !countOverflow, count == picture.pixels.count else {
      throw .badPicture(
        reason: """
          \(picture.width) × \(picture.height) pixels of \(picture.channels) bytes were wanted, \
          \(picture.pixels.count) bytes came
          """)
    }
    guard picture.width == geometry.imageWidth, picture.height == geometry.imageHeight else {
      throw .badPicture(
        reason: """
          the frame was made for \(geometry.imageWidth) × \(geometry.imageHeight) pixels, the \
          picture has \(picture.width) × \(picture.height)
          """)
    }
  }
}
