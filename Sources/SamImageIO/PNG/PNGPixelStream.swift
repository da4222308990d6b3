internal import Synchronization

/// The zlib stream of a picture's rows, made in bands.
struct PNGPixelStream: Sendable {
  let width: Int
  let height: Int
  /// Bytes of a pixel.
  let channels: Int
  /// Writes the bytes of a row; called on several threads, for some rows twice.
  let writeRow: @Sendable (_ y: Int, _ row: UnsafeMutablePointer<UInt8>) -> Void

  /// Filtered bytes of a band, about.
  private static let bandLength = 1 << 19
  /// Bands that are kept until they are written.
  private static let bandsAtOnce = 8

  /// What a zlib stream begins with: deflate, a window of 32 KB, no dictionary.
  private static let start: [UInt8] = [0x78, 0x5E]

  /// Calls `write` with one piece of the stream after the other; they do not depend on `perform`, which
  /// spreads the bands over threads.
  func forEachPiece<Failure: Error>(
    _ perform: BandPerform, _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let bandHeight = max(1, Self.bandLength / (width * channels + 1))
    let bandCount = (height + bandHeight - 1) / bandHeight
    var checksum = PNGStreamChecksum()
    for start in stride(from: 0, to: bandCount, by: Self.bandsAtOnce) {
      let indices = start..<min(bandCount, start + Self.bandsAtOnce)
      let made = Mutex([PNGPixelBand?](repeating: nil, count: indices.count))
      perform(indices.count) { index in
        let first = (start + index) * bandHeight
        let band = PNGPixelBand(
          rows: first..<min(height, first + bandHeight), width: width, channels: channels,
          writeRow: writeRow)
        made.withLock { $0[index] = band }
      }
      for (index, band) in zip(indices, made.withLock { $0 }) {
        guard let band else { preconditionFailure("a band was not computed") }
        checksum.add(band)
        try write(
          (index == 0 ? Self.start : []) + band.bytes + (index == bandCount - 1 ? checksum.end : [])
        )
      }
    }
  }
}
