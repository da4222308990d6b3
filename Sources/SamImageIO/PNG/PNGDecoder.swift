internal import CPNG

/// Decodes one PNG file that lies in memory; the bytes must outlive the decoder.
struct PNGDecoder {
  let information: ImageInformation
  private let structure: PNGStructure
  private let bytes: UnsafeBufferPointer<UInt8>
  private let name: String

  /// Checks the file's structure to its end.
  init(bytes: UnsafeBufferPointer<UInt8>, name: String) throws(ImageIOError) {
    structure = try PNGStructure(bytes, name: name)
    self.bytes = bytes
    self.name = name
    information = ImageInformation(
      format: .png, storedWidth: structure.width, storedHeight: structure.height,
      orientation: structure.orientation)
  }

  /// Decodes the pixels, turned as the decoder's rule says.
  func decode(by rule: ImageDecoder) throws(ImageIOError) -> PixelImage {
    try rule.check(information, name: name)
    let image: PixelImage
    if structure.gammaChunks.isEmpty {
      image = try decode(bytes)
    } else {
      let plain = structure.bytesWithoutGamma(bytes)
      image = try plain.withUnsafeBufferPointer { plain throws(ImageIOError) in
        try decode(plain)
      }
    }
    return image.oriented(by: rule.orientation(given: information.orientation))
  }

  /// libpng keeps the address of its state between calls, so all of them happen in here.
  private func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageIOError) -> PixelImage {
    let state = UnsafeMutablePointer<png_image>.allocate(capacity: 1)
    defer { state.deallocate() }
    state.initialize(to: png_image())
    state.pointee.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(state) }
    guard png_image_begin_read_from_memory(state, bytes.baseAddress, bytes.count) != 0 else {
      throw fault(of: state)
    }
    guard Int(state.pointee.width) == information.storedWidth,
      Int(state.pointee.height) == information.storedHeight
    else {
      throw .corrupt(file: name, format: .png, detail: "it has two headers")
    }
    let stored = state.pointee.format
    let hasAlpha = stored & png_uint_32(PNG_FORMAT_FLAG_ALPHA) != 0
    let isGray = stored & png_uint_32(PNG_FORMAT_FLAG_COLOR) == 0 && !hasAlpha
    // Gray with alpha has no place in a picture; it becomes RGBA.
    let channels = isGray ? 1 : hasAlpha ? 4 : 3
    state.pointee.format =
      (isGray ? 0 : png_uint_32(PNG_FORMAT_FLAG_COLOR))
      | (hasAlpha ? png_uint_32(PNG_FORMAT_FLAG_ALPHA) : 0)
    let (width, height) = (information.storedWidth, information.storedHeight)
    let pixels = try makePixels(width * height * channels) { target throws(ImageIOError) in
      if structure.isDeepAndInterlaced {
        try readDeep(state, count: width * height, channels: channels, into: target)
      } else {
        // 16-bit values are sRGB like all others; libpng would take them for linear light.
        state.pointee.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
        guard png_image_finish_read(state, nil, target, 0, nil) != 0 else {
          throw fault(of: state)
        }
      }
    }
    return PixelImage(width: width, height: height, channels: channels, pixels: pixels)
  }

  /// Reads 16 bits a channel and rounds to 8 here.
  ///
  /// libpng's own rounding goes wrong where such rows are interlaced: it wrote past the buffer's end
  /// (CVE-2025-65018), and Debian's mended 1.6.39 mixes up rows. Without gamma, 16-bit input counts
  /// as linear, as 16-bit output always is, so values pass unchanged, except that colours come
  /// multiplied by alpha: what is all but transparent loses precision.
  private func readDeep(
    _ state: UnsafeMutablePointer<png_image>, count: Int, channels: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) throws(ImageIOError) {
    state.pointee.format |= png_uint_32(PNG_FORMAT_FLAG_LINEAR)
    let values = UnsafeMutablePointer<UInt16>.allocate(capacity: count * channels)
    defer { values.deallocate() }
    guard png_image_finish_read(state, nil, values, 0, nil) != 0 else { throw fault(of: state) }
    for pixel in 0..<count {
      let alpha = channels == 4 ? UInt32(values[pixel * 4 + 3]) : 65535
      for channel in 0..<min(channels, 3) {
        let value = UInt32(values[pixel * channels + channel])
        let byte = alpha == 0 ? 0 : (value * 255 + alpha / 2) / alpha
        target[pixel * channels + channel] = UInt8(truncatingIfNeeded: min(byte, 255))
      }
      if channels == 4 {
        target[pixel * 4 + 3] = UInt8(truncatingIfNeeded: (alpha * 255 + 32767) / 65535)
      }
    }
  }

  private func fault(of state: UnsafeMutablePointer<png_image>) -> ImageIOError {
    let message = pngMessage(of: &state.pointee)
    return message.contains("memory")
      ? .outOfMemory(file: name) : .corrupt(file: name, format: .png, detail: message)
  }
}

/// libpng's own words for what went wrong.
func pngMessage(of state: inout png_image) -> String {
  withUnsafeBytes(of: &state.message) { raw in
    String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
  }
}
