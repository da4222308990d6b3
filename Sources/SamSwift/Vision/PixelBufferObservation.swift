import Foundation
import SamImageIO

/// A picture that a request produced: here a mask, in 8-bit gray.
///
/// 255 is surely inside the object, 0 surely outside, 128 the edge. The size follows from the
/// request's quality level; see ``GenerateIterativeSegmentationRequest/QualityLevel``.
public struct PixelBufferObservation: Sendable {
  /// Distinguishes this observation from every other.
  public let uuid: UUID

  /// How sure the request is of the result, from 0 to 1: the network's estimate of the mask's IoU.
  public let confidence: Float

  /// The request that produced it.
  public let originatingRequestDescriptor: RequestDescriptor?

  private let mask: PixelImage

  init(
    mask: PixelImage, confidence: Float, descriptor: RequestDescriptor?, uuid: UUID = UUID()
  ) {
    self.mask = mask
    self.confidence = min(max(confidence, 0), 1)
    self.uuid = uuid
    originatingRequestDescriptor = descriptor
  }

  /// Creates an observation from a gray pixel buffer, with confidence 1.
  ///
  /// A buffer in colour counts by its brightness.
  public init(_ pixelBuffer: CVReadOnlyPixelBuffer) {
    self.init(mask: pixelBuffer.image.converted(toChannels: 1), confidence: 1, descriptor: nil)
  }

  /// The mask's pixels, a copy each time it is asked for.
  public var pixelBuffer: CVReadOnlyPixelBuffer {
    guard let buffer = CVPixelBuffer.copy(of: mask) else {
      preconditionFailure("a mask of \(mask.width)×\(mask.height) pixels is no pixel buffer")
    }
    return CVReadOnlyPixelBuffer(unsafeBuffer: buffer)
  }

  /// The mask as a picture.
  public var cgImage: CGImage {
    get throws { mask }
  }

  /// The mask's format, 8-bit gray.
  public var pixelFormat: OSType { kCVPixelFormatType_OneComponent8 }

  /// The mask's size in pixels.
  public var size: CGSize { CGSize(width: mask.width, height: mask.height) }

  /// The value of the pixel at a point, from 0 to 1; points outside count as the nearest edge.
  public func pixel(at point: NormalizedPoint) -> Float {
    let position = point.toImageCoordinates(size, origin: .upperLeft)
    guard position.x.isFinite && position.y.isFinite else { return 0 }
    let x = Int(min(max(position.x, 0), size.width - 1))
    let y = Int(min(max(position.y, 0), size.height - 1))
    return Float(mask.pixels[y * mask.width + x]) / 255
  }

  /// Calls `body` with the mask's bytes: `size.width` to a row, top row first.
  ///
  /// - Parameter body: Reads the bytes; the pointer is good until it returns.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withUnsafePointer<R>(_ body: (UnsafeRawPointer) throws -> R) rethrows -> R {
    try mask.pixels.withUnsafeBytes { bytes in
      guard let address = bytes.baseAddress else {
        preconditionFailure("a mask has at least one pixel")
      }
      return try body(address)
    }
  }
}

extension PixelBufferObservation: Hashable {
  /// Whether two observations are the same one.
  public static func == (left: Self, right: Self) -> Bool { left.uuid == right.uuid }

  /// Feeds the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}

extension PixelBufferObservation: CustomStringConvertible {
  /// Size and confidence.
  public var description: String {
    "PixelBufferObservation(\(mask.width)×\(mask.height), confidence \(confidence))"
  }
}

extension PixelBufferObservation: Codable {
  private enum CodingKeys: String, CodingKey {
    case uuid, confidence, descriptor, width, height, pixels
  }

  /// Reads an observation; the mask's bytes must fill its size.
  ///
  /// - Parameter decoder: Where to read from.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let width = try values.decode(Int.self, forKey: .width)
    let height = try values.decode(Int.self, forKey: .height)
    let pixels = try values.decode(Data.self, forKey: .pixels)
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0 && height > 0 && !overflow && count == pixels.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .pixels, in: values,
        debugDescription: "\(pixels.count) bytes for a mask of \(width)×\(height)")
    }
    self.init(
      mask: PixelImage(width: width, height: height, channels: 1, pixels: Array(pixels)),
      confidence: try values.decode(Float.self, forKey: .confidence),
      descriptor: try values.decodeIfPresent(RequestDescriptor.self, forKey: .descriptor),
      uuid: try values.decode(UUID.self, forKey: .uuid))
  }

  /// Writes the observation with its mask.
  ///
  /// - Parameter encoder: Where to write to.
  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(uuid, forKey: .uuid)
    try values.encode(confidence, forKey: .confidence)
    try values.encodeIfPresent(originatingRequestDescriptor, forKey: .descriptor)
    try values.encode(mask.width, forKey: .width)
    try values.encode(mask.height, forKey: .height)
    try values.encode(Data(mask.pixels), forKey: .pixels)
  }
}
