import SamImageIO

extension CVPixelBuffer {
  /// A buffer with the pixels of a picture, in the format of the same order.
  ///
  /// The picture has at least one pixel.
  static func copy(of image: PixelImage) -> sending CVPixelBuffer? {
    let format: OSType
    switch image.channels {
    case 1: format = kCVPixelFormatType_OneComponent8
    case 3: format = kCVPixelFormatType_24RGB
    default: format = kCVPixelFormatType_32RGBA
    }
    guard let buffer = CVPixelBuffer(width: image.width, height: image.height, format: format)
    else { return nil }
    image.pixels.withUnsafeBytes { source in
      UnsafeMutableRawBufferPointer(start: buffer.bytes, count: source.count).copyMemory(
        from: source)
    }
    return buffer
  }

  /// The pixels as a picture: gray, RGB or RGBA.
  var image: PixelImage {
    let source = UnsafeRawBufferPointer(start: UnsafeRawPointer(bytes), count: bytesPerRow * height)
    let order: [Int]
    switch format {
    case kCVPixelFormatType_OneComponent8: order = [0]
    case kCVPixelFormatType_24RGB: order = [0, 1, 2]
    case kCVPixelFormatType_32ARGB: order = [1, 2, 3, 0]
    case kCVPixelFormatType_32BGRA: order = [2, 1, 0, 3]
    default: order = [0, 1, 2, 3]
    }
    let channels = order.count
    if order == Array(0..<channels) {
      return PixelImage(width: width, height: height, channels: channels, pixels: Array(source))
    }
    var pixels = [UInt8](repeating: 0, count: source.count)
    for start in stride(from: 0, to: source.count, by: channels) {
      for channel in 0..<channels { pixels[start + channel] = source[start + order[channel]] }
    }
    return PixelImage(width: width, height: height, channels: channels, pixels: pixels)
  }
}

extension CVReadOnlyPixelBuffer {
  /// The pixels as a picture: gray, RGB or RGBA.
  var image: PixelImage { withUnsafeBuffer(\.image) }
}
