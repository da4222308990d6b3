/// How a stored picture is turned for display: EXIF's eight values, by Apple's names.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  /// As stored.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored along the main diagonal: rows become columns.
  case leftMirrored = 5
  /// Turned clockwise by 90° for display.
  case right = 6
  /// Mirrored along the other diagonal.
  case rightMirrored = 7
  /// Turned counter-clockwise by 90° for display.
  case left = 8

  /// Whether width and height change places.
  public var swapsSides: Bool { rawValue >= 5 }
}

extension PixelImage {
  /// The picture turned for display.
  ///
  /// Cost: one pass, and a second copy of the pixels.
  ///
  /// - Parameter orientation: how the picture is stored.
  /// - Returns: the picture itself for ``ImageOrientation/up``.
  public func oriented(by orientation: ImageOrientation) -> PixelImage {
    if orientation == .up { return self }
    let placement = OrientedPlacement(
      width: width, height: height, channels: channels, orientation: orientation)
    let turned = [UInt8](unsafeUninitializedCapacity: pixels.count) { output, used in
      pixels.withUnsafeBufferPointer { input in
        if let target = output.baseAddress, let source = input.baseAddress {
          for first in stride(from: 0, to: height, by: OrientedPlacement.stripHeight) {
            placement.place(
              source + first * bytesPerRow,
              rows: first..<min(first + OrientedPlacement.stripHeight, height), in: target)
          }
        }
      }
      used = pixels.count
    }
    return PixelImage(
      width: orientation.swapsSides ? height : width,
      height: orientation.swapsSides ? width : height, channels: channels, pixels: turned)
  }
}

/// Where the pixels of a stored picture go in the displayed one.
///
/// Decoders use it strip by strip, so that a turned picture needs no second copy.
struct OrientedPlacement {
  /// Rows that one strip has: enough that a turned strip writes runs, few enough to stay in cache.
  static let stripHeight = 16

  private let width: Int
  private let channels: Int
  private let orientation: ImageOrientation
  /// Bytes from the target's start to where the stored upper left pixel goes.
  private let origin: Int
  /// Bytes that one stored column and one stored row move by.
  private let columnStep: Int
  private let rowStep: Int

  /// Width and height are those of the stored picture.
  init(width: Int, height: Int, channels: Int, orientation: ImageOrientation) {
    self.width = width
    self.channels = channels
    self.orientation = orientation
    let stride = channels * (orientation.swapsSides ? height : width)
    let lastColumn = channels * (orientation.swapsSides ? height - 1 : width - 1)
    let lastRow = stride * (orientation.swapsSides ? width - 1 : height - 1)
    switch orientation {
    case .up: (origin, columnStep, rowStep) = (0, channels, stride)
    case .upMirrored: (origin, columnStep, rowStep) = (lastColumn, -channels, stride)
    case .down: (origin, columnStep, rowStep) = (lastRow + lastColumn, -channels, -stride)
    case .downMirrored: (origin, columnStep, rowStep) = (lastRow, channels, -stride)
    case .leftMirrored: (origin, columnStep, rowStep) = (0, stride, channels)
    case .right: (origin, columnStep, rowStep) = (lastColumn, stride, -channels)
    case .rightMirrored:
      (origin, columnStep, rowStep) = (lastRow + lastColumn, -stride, -channels)
    case .left: (origin, columnStep, rowStep) = (lastRow, -stride, channels)
    }
  }

  /// Where a row begins that can be written as it is, from left to right; nil where it must be turned.
  func direct(row: Int, in target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>? {
    columnStep == channels ? target + origin + row * rowStep : nil
  }

  /// Bytes from one row to the next, where rows can be written as they are.
  var directStride: Int { rowStep }

  /// Writes stored rows, which lie one after the other at `source`, to their places.
  func place(
    _ source: UnsafePointer<UInt8>, rows: Range<Int>, in target: UnsafeMutablePointer<UInt8>
  ) {
    let rowLength = width * channels
    let start = target + origin + rows.lowerBound * rowStep
    if columnStep == channels {
      for row in 0..<rows.count {
        (start + row * rowStep).update(from: source + row * rowLength, count: rowLength)
      }
      return
    }
    switch channels {
    case 1: turn(source, rows.count, start, UInt8.self)
    case 3: turn(source, rows.count, start, (UInt8, UInt8, UInt8).self)
    default: turn(source, rows.count, start, UInt32.self)
    }
  }

  /// Columns outside, rows inside: when sides are swapped, the rows of a strip are neighbours in the
  /// target.
  private func turn<Pixel: BitwiseCopyable>(
    _ source: UnsafePointer<UInt8>, _ rows: Int, _ start: UnsafeMutablePointer<UInt8>,
    _: Pixel.Type
  ) {
    let rowLength = width * channels
    for column in 0..<width {
      var from = UnsafeRawPointer(source + column * channels)
      var to = UnsafeMutableRawPointer(start + column * columnStep)
      for _ in 0..<rows {
        to.storeBytes(of: from.loadUnaligned(as: Pixel.self), as: Pixel.self)
        from += rowLength
        to += rowStep
      }
    }
  }
}
