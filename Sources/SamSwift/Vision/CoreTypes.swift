// Types of Core Graphics, Core Video and Image I/O that Vision's API mentions and Linux does not have:
// no more of each than code for Vision touches.

import Foundation
import SamImageIO

/// A picture in memory; on Linux a ``PixelImage``.
public typealias CGImage = PixelImage

/// A Core Video result code; 0 is success.
public typealias CVReturn = Int32

/// A four-character code.
public typealias OSType = UInt32

/// Success.
public let kCVReturnSuccess: CVReturn = 0
/// An argument cannot be used.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// The pixel format is not supported.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// The size is not supported.
public let kCVReturnInvalidSize: CVReturn = -6681

/// 8-bit gray, `L008`.
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C30_3038
/// 8-bit red, green, blue.
public let kCVPixelFormatType_24RGB: OSType = 0x18
/// 8-bit alpha, red, green, blue.
public let kCVPixelFormatType_32ARGB: OSType = 0x20
/// 8-bit blue, green, red, alpha.
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// 8-bit red, green, blue, alpha.
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241

/// Core Foundation's default allocator, which is the only one here.
public let kCFAllocatorDefault: (any Sendable)? = nil

/// How the stored pixels have to be turned to be displayed; raw values as in EXIF.
public enum CGImagePropertyOrientation: UInt32, Sendable, Hashable, CaseIterable, Codable {
  /// As stored.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored left to right, then turned by 90° counter-clockwise.
  case leftMirrored = 5
  /// To be turned by 90° clockwise.
  case right = 6
  /// Mirrored left to right, then turned by 90° clockwise.
  case rightMirrored = 7
  /// To be turned by 90° counter-clockwise.
  case left = 8
}

/// Whether a lock is for reading only.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt64

  /// Creates flags from their bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The pixels are not written to.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Pixels in memory that can be written to.
public final class CVPixelBuffer {
  let width: Int
  let height: Int
  let format: OSType
  let bytesPerRow: Int
  let bytes: UnsafeMutableRawPointer

  /// A buffer of zeros, or nil for a size or format that is not supported.
  init?(width: Int, height: Int, format: OSType) {
    guard let pixel = format.bytesPerPixel, width > 0, height > 0 else { return nil }
    // As many pixels as a picture file may have; the product cannot overflow below it.
    let limit = 268_435_456
    guard width <= limit, height <= limit / width else { return nil }
    self.width = width
    self.height = height
    self.format = format
    bytesPerRow = width * pixel
    bytes = .allocate(byteCount: bytesPerRow * height, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: bytesPerRow * height)
  }

  deinit { bytes.deallocate() }
}

extension OSType {
  /// Bytes of one pixel in the formats that are supported.
  fileprivate var bytesPerPixel: Int? {
    switch self {
    case kCVPixelFormatType_OneComponent8: 1
    case kCVPixelFormatType_24RGB: 3
    case kCVPixelFormatType_32ARGB, kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA: 4
    default: nil
    }
  }
}

/// Pixels in memory that nobody writes to any more.
public final class CVReadOnlyPixelBuffer: @unchecked Sendable {
  // Unchecked: the buffer was handed over for good and is only read from here on.
  private let buffer: CVPixelBuffer

  /// Takes over a buffer, which must not be written to afterwards.
  public init(unsafeBuffer: sending CVPixelBuffer) {
    buffer = unsafeBuffer
  }

  /// Calls `body` with the buffer, which must not be written to.
  ///
  /// - Parameter body: Reads the buffer.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withUnsafeBuffer<R>(_ body: (CVPixelBuffer) throws -> R) rethrows -> R {
    try body(buffer)
  }
}

/// Makes a buffer of zeros.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault`.
///   - width: Columns.
///   - height: Rows.
///   - pixelFormatType: One of the `kCVPixelFormatType` values.
///   - pixelBufferAttributes: Not used.
///   - pixelBufferOut: Takes the buffer.
/// - Returns: ``kCVReturnSuccess``, or why there is no buffer.
public func CVPixelBufferCreate(
  _ allocator: (any Sendable)?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: Any?, _ pixelBufferOut: inout CVPixelBuffer?
) -> CVReturn {
  guard pixelFormatType.bytesPerPixel != nil else { return kCVReturnInvalidPixelFormat }
  pixelBufferOut = CVPixelBuffer(width: width, height: height, format: pixelFormatType)
  return pixelBufferOut == nil ? kCVReturnInvalidSize : kCVReturnSuccess
}

/// Makes the pixels accessible; here they always are.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn { kCVReturnSuccess }

/// Ends what ``CVPixelBufferLockBaseAddress(_:_:)`` began.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn { kCVReturnSuccess }

/// The first byte of the top row; good as long as the buffer lives.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  pixelBuffer.bytes
}

/// Bytes from one row to the next.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.bytesPerRow
}

/// Columns.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Rows.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// The pixels' format.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.format
}
