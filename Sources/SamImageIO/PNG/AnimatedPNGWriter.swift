/// Calls its second argument once for each index below the first, in any order, on any threads.
package typealias BandPerform =
  @Sendable (_ count: Int, _ body: @Sendable (_ index: Int) -> Void) -> Void

/// Writes an animated PNG piece by piece; no frame is ever held as a whole.
///
/// Rows are asked for in bands, which are filtered and deflated at once; the file does not depend on how
/// many threads do it.
package struct AnimatedPNGWriter<Failure: Error> {
  /// Where a frame lies and what it does to the pixels under it.
  package struct Area: Sendable, Equatable {
    package var columns: Range<Int>
    package var rows: Range<Int>
    package var blending: PixelAnimation.Blending

    /// Places a frame of at least one pixel.
    package init(columns: Range<Int>, rows: Range<Int>, blending: PixelAnimation.Blending) {
      self.columns = columns
      self.rows = rows
      self.blending = blending
    }
  }

  private let channels: Int
  private let milliseconds: Int
  private let perform: BandPerform
  private let write: ([UInt8]) throws(Failure) -> Void
  /// Control and data chunks of the later frames are numbered together.
  private var sequence = 0

  /// Writes what comes before the frames.
  ///
  /// - Parameters:
  ///   - width: columns of the picture, at most 1 000 000.
  ///   - height: rows of the picture, at most 1 000 000.
  ///   - channels: 1, 3 or 4.
  ///   - frameCount: how many frames will follow; the first has to fill the picture.
  ///   - millisecondsPerFrame: how long each is shown.
  ///   - plays: how often all are shown; 0 is for ever.
  ///   - perform: how bands are spread over threads.
  ///   - write: takes the next bytes of the file.
  /// - Throws: what `write` throws.
  package init(
    width: Int, height: Int, channels: Int, frameCount: Int, millisecondsPerFrame: Int,
    plays: Int = 0, perform: @escaping BandPerform = { count, body in (0..<count).forEach(body) },
    write: @escaping ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    self.channels = channels
    milliseconds = millisecondsPerFrame
    self.perform = perform
    self.write = write
    try write(
      PNGChunk.start(
        width: width, height: height, bitDepth: 8,
        colorType: PNGChunk.colorType(channels: channels))
        + PNGChunk.encoded(
          "acTL", PNGChunk.bytes(frameCount) + PNGChunk.bytes(plays)))
  }

  /// Writes the next frame.
  ///
  /// `writeRow` writes the bytes of a row, counted from the frame's upper edge; it is called on several
  /// threads, for some rows twice.
  package mutating func append(
    _ area: Area,
    writeRow: @escaping @Sendable (_ y: Int, _ row: UnsafeMutablePointer<UInt8>) -> Void
  ) throws(Failure) {
    let isFirst = sequence == 0
    try write(PNGChunk.encoded("fcTL", control(of: area)))
    sequence += 1
    let stream = PNGPixelStream(
      width: area.columns.count, height: area.rows.count, channels: channels, writeRow: writeRow)
    try stream.forEachPiece(perform) { piece throws(Failure) in
      if isFirst {
        try write(PNGChunk.encoded("IDAT", piece))
      } else {
        try write(PNGChunk.encoded("fdAT", PNGChunk.bytes(sequence) + piece))
        sequence += 1
      }
    }
  }

  /// Writes the file's end.
  package func finish() throws(Failure) {
    try write(PNGChunk.encoded("IEND", []))
  }

  /// Size, place, duration, and what happens to the pixels under the frame and after it.
  private func control(of area: Area) -> [UInt8] {
    let numbers = [
      sequence, area.columns.count, area.rows.count, area.columns.lowerBound, area.rows.lowerBound,
    ]
    let staysAsItIs: UInt8 = 0
    return numbers.flatMap(PNGChunk.bytes)
      + PNGChunk.shortBytes(milliseconds) + PNGChunk.shortBytes(1000)
      + [staysAsItIs, area.blending == .over ? 1 : 0]
  }
}
