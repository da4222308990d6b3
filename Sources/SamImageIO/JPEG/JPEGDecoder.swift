internal import CJPEG
internal import CSamShims

/// Decodes one JPEG file that lies in memory; the bytes must outlive the decoder.
struct JPEGDecoder: ~Copyable {
  let information: ImageInformation
  private let name: String
  private let reader: UnsafeMutablePointer<SamJPEGReader>

  /// Reads the header.
  init(bytes: UnsafeBufferPointer<UInt8>, name: String) throws(ImageIOError) {
    guard let reader = samJPEGReaderCreate(bytes.baseAddress, bytes.count) else {
      throw .outOfMemory(file: name)
    }
    guard samJPEGReadHeader(reader) == 0 else {
      let fault = Self.fault(of: reader, name: name)
      samJPEGReaderDestroy(reader)
      throw fault
    }
    self.name = name
    self.reader = reader
    information = ImageInformation(
      format: .jpeg, storedWidth: Int(reader.pointee.codec.image_width),
      storedHeight: Int(reader.pointee.codec.image_height),
      orientation: Self.orientation(in: reader.pointee.codec.marker_list))
  }

  deinit {
    samJPEGReaderDestroy(reader)
  }

  /// Decodes the pixels, turned as the decoder's rule says, into a single copy.
  consuming func decode(by rule: ImageDecoder) throws(ImageIOError) -> PixelImage {
    try rule.check(information, name: name)
    let layout = try layout()
    let orientation = rule.orientation(given: information.orientation)
    let (width, height) = (information.storedWidth, information.storedHeight)
    try require(samJPEGStartReading(reader, layout.space))
    let channels = layout.channels
    let placement = OrientedPlacement(
      width: width, height: height, channels: channels, orientation: orientation)
    let pixels = try makePixels(width * height * channels) { target throws(ImageIOError) in
      if layout.space != JCS_CMYK, let first = placement.direct(row: 0, in: target) {
        try require(samJPEGReadRows(reader, first, placement.directStride, Int32(height)))
      } else {
        try readStrips(width: width, height: height, layout.space, placement, into: target)
      }
    }
    try require(samJPEGFinishReading(reader))
    return PixelImage(
      width: orientation.swapsSides ? height : width,
      height: orientation.swapsSides ? width : height, channels: channels, pixels: pixels)
  }

  private borrowing func readStrips(
    width: Int, height: Int, _ space: J_COLOR_SPACE, _ placement: OrientedPlacement,
    into target: UnsafeMutablePointer<UInt8>
  ) throws(ImageIOError) {
    let stripHeight = OrientedPlacement.stripHeight
    let rowLength = width * Int(reader.pointee.codec.output_components)
    let strip = UnsafeMutablePointer<UInt8>.allocate(capacity: rowLength * stripHeight)
    defer { strip.deallocate() }
    for first in stride(from: 0, to: height, by: stripHeight) {
      let count = min(stripHeight, height - first)
      try require(samJPEGReadRows(reader, strip, rowLength, Int32(count)))
      if space == JCS_CMYK {
        convertInvertedCMYK(strip, count: width * count)
      }
      placement.place(strip, rows: first..<first + count, in: target)
    }
  }

  /// What libjpeg is asked for, and what comes of it.
  private borrowing func layout() throws(ImageIOError) -> (
    space: J_COLOR_SPACE, channels: Int
  ) {
    switch reader.pointee.codec.jpeg_color_space {
    case JCS_GRAYSCALE: return (JCS_GRAYSCALE, 1)
    case JCS_YCbCr, JCS_RGB: return (JCS_RGB, 3)
    case JCS_CMYK, JCS_YCCK: return (JCS_CMYK, 3)
    default:
      throw .unsupported(
        file: name, format: .jpeg,
        detail: "its \(reader.pointee.codec.num_components) components are no known colour space")
    }
  }

  private borrowing func require(_ code: Int32) throws(ImageIOError) {
    guard code == 0 else { throw Self.fault(of: reader, name: name) }
  }

  private static func fault(
    of reader: UnsafeMutablePointer<SamJPEGReader>, name: String
  ) -> ImageIOError {
    let message = jpegMessage(of: &reader.pointee.fence)
    switch reader.pointee.fence.fault {
    case SamJPEGFaultTruncated: return .truncated(file: name, format: .jpeg)
    case SamJPEGFaultEmptyImage: return .noPixels(file: name, format: .jpeg)
    case SamJPEGFaultTooLarge, SamJPEGFaultTooManyScans, SamJPEGFaultUnsupported:
      return .unsupported(file: name, format: .jpeg, detail: message)
    case SamJPEGFaultNoMemory: return .outOfMemory(file: name)
    default: return .corrupt(file: name, format: .jpeg, detail: message)
    }
  }

  /// The orientation in the first EXIF segment.
  private static func orientation(in markers: jpeg_saved_marker_ptr?) -> ImageOrientation {
    var next = markers
    while let marker = next {
      let segment = UnsafeBufferPointer(
        start: UnsafePointer(marker.pointee.data), count: Int(marker.pointee.data_length))
      if let orientation = ExifOrientation.find(inSegment: segment) { return orientation }
      next = marker.pointee.next
    }
    return .up
  }
}

/// libjpeg's own words for what went wrong.
func jpegMessage(of fence: inout SamJPEGFence) -> String {
  withUnsafeBytes(of: &fence.message) { raw in
    String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// Turns inverted CMYK into RGB in place, the result packed at the front.
///
/// Writers store 255 − ink, whether they say so or not. A channel is then its own light times
/// black's, divided by 255 with rounding as Pillow does it.
private func convertInvertedCMYK(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
  for i in 0..<count {
    let black = UInt32(pixels[i * 4 + 3])
    for channel in 0..<3 {
      let product = (255 - UInt32(pixels[i * 4 + channel])) * black + 128
      let ink = ((product >> 8) + product) >> 8
      pixels[i * 3 + channel] = UInt8(truncatingIfNeeded: black - ink)
    }
  }
}
