import CSamShims.Prefetch

/// A loop whose iterations may run at the same time; returns when all have run.
package typealias ParallelLoop = (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void

/// Takes one finished row: its index and `outputWidth` RGB triples, valid only during the call.
///
/// Called once per row, in no order, from several threads at once.
package typealias RowSink = @Sendable (_ row: Int, _ rgb: UnsafeBufferPointer<UInt8>) -> Void

/// Resizes a picture and hands out its rows as 8-bit RGB: gray is repeated, alpha is dropped.
///
/// Rows go to a sink instead of a buffer, so that the caller can turn them into whatever it needs
/// while they are in cache. The result does not depend on how the loop is spread over threads.
package protocol RowResizing: Sendable {
  /// Width of every row, in pixels.
  var outputWidth: Int { get }
  /// Number of rows.
  var outputHeight: Int { get }

  /// Resizes `picture`, which has the input size that the resizer was made for.
  func resize(_ picture: Picture, parallelFor: ParallelLoop, sink: @escaping RowSink)
}

extension RowResizing {
  /// Splits the output rows into bands, one for each iteration of the loop.
  ///
  /// Bands share the few source rows at their borders and each resizes them for itself; 32 rows
  /// keep that under a tenth and still give ten bands or more to spread over threads.
  func forEachBand(_ parallelFor: ParallelLoop, _ body: @escaping @Sendable (Range<Int>) -> Void) {
    let bandHeight = 32
    let height = outputHeight
    parallelFor((height + bandHeight - 1) / bandHeight) { band in
      body(band * bandHeight..<min((band + 1) * bandHeight, height))
    }
  }
}

/// The pixels of a picture as its rows are read by the resizers.
///
/// The pointer is valid only inside the `withRows` closure; reads by several threads are safe, for
/// nobody writes.
struct PictureRows: @unchecked Sendable {
  let base: UnsafePointer<UInt8>
  let width: Int
  let height: Int
  /// Bytes from one pixel to the next: 1, 3 or 4.
  let pixelStride: Int
  /// Channels that the resizers work on: 1 or 3.
  let channels: Int

  /// The first byte of a row.
  func row(_ index: Int) -> UnsafePointer<UInt8> {
    base + index * width * pixelStride
  }

  /// Fetches the row after `index`, if there is one, while that one is worked on.
  ///
  /// The CPU's own prefetching stops at each page, which is a third of a large picture's row.
  func prefetchRow(after index: Int) {
    guard index + 1 < height else { return }
    let next = row(index + 1)
    for offset in stride(from: 0, to: width &* pixelStride, by: 64) {
      samPrefetch(next + offset)
    }
  }

  /// Copies a line of this layout without its alpha.
  func copyLine(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) {
    if pixelStride == channels {
      target.update(from: source, count: width * channels)
      return
    }
    // Alpha lands on the next pixel's red, which is written after it; the last pixel has no next.
    let bytes = UnsafeMutableRawPointer(target)
    for x in 0..<width &- 1 {
      let pixel = UnsafeRawPointer(source + x &* 4).loadUnaligned(as: UInt32.self)
      bytes.storeBytes(of: pixel, toByteOffset: x &* 3, as: UInt32.self)
    }
    for channel in 0..<3 {
      target[(width &- 1) &* 3 &+ channel] = source[(width &- 1) &* 4 &+ channel]
    }
  }
}

extension Picture {
  /// Calls `body` with the rows; the picture's sizes must belong together.
  func withRows(_ body: (PictureRows) -> Void) {
    precondition(
      channels == 1 || channels == 3 || channels == 4, "a picture has 1, 3 or 4 channels")
    precondition(pixels.count == width * height * channels, "pixels do not fill the picture")
    pixels.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      body(
        PictureRows(
          base: base, width: width, height: height, pixelStride: channels,
          channels: channels == 1 ? 1 : 3))
    }
  }
}

/// Hands a row to the sink, repeating gray three times.
struct RowEmitter: ~Copyable {
  private let width: Int
  private let channels: Int
  private let expanded: UnsafeMutablePointer<UInt8>

  init(width: Int, channels: Int) {
    self.width = width
    self.channels = channels
    expanded = .allocate(capacity: width * 3)
  }

  deinit {
    expanded.deallocate()
  }

  borrowing func emit(_ index: Int, _ row: UnsafePointer<UInt8>, to sink: RowSink) {
    if channels == 3 {
      sink(index, UnsafeBufferPointer(start: row, count: width * 3))
      return
    }
    // The fourth byte of each store is zero and lands on the next pixel, which is written after it.
    let bytes = UnsafeMutableRawPointer(expanded)
    for x in 0..<width &- 1 {
      let pixel = UInt32(truncatingIfNeeded: row[x]) &* 0x01_0101
      bytes.storeBytes(of: pixel.littleEndian, toByteOffset: x &* 3, as: UInt32.self)
    }
    (expanded + (width &- 1) &* 3).update(repeating: row[width &- 1], count: 3)
    sink(index, UnsafeBufferPointer(start: expanded, count: width * 3))
  }
}
