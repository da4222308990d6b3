internal import CJPEG
internal import CSamShims
internal import Foundation

extension ImageEncoder {
  /// Encodes as baseline JPEG.
  static func encodeJPEG(_ image: PixelImage, quality: Int) throws(ImageIOError) -> Data {
    guard image.width <= 65500, image.height <= 65500 else {
      throw .notEncodable(format: .jpeg, detail: "\(image) is longer than 65500 pixels")
    }
    guard (1...100).contains(quality) else {
      throw .notEncodable(format: .jpeg, detail: "quality \(quality) is not within 1 to 100")
    }
    let flat = image.flattened()
    guard let writer = samJPEGWriterCreate() else {
      throw .notEncodable(format: .jpeg, detail: "not enough memory")
    }
    defer { samJPEGWriterDestroy(writer) }
    let isWritten = flat.pixels.withUnsafeBufferPointer { pixels in
      samJPEGStartWriting(
        writer, Int32(flat.width), Int32(flat.height), Int32(flat.channels),
        Int32(quality), quality < 90 ? 1 : 0) == 0
        && samJPEGWriteRows(writer, pixels.baseAddress, flat.bytesPerRow, Int32(flat.height)) == 0
        && samJPEGFinishWriting(writer) == 0
    }
    guard isWritten, let bytes = writer.pointee.bytes else {
      throw .notEncodable(format: .jpeg, detail: jpegMessage(of: &writer.pointee.fence))
    }
    return Data(bytes: bytes, count: Int(writer.pointee.count))
  }
}
