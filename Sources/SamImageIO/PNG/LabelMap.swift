internal import CPNG
package import Foundation

/// A picture whose pixels are numbers of objects, not colours.
package struct LabelMap: Sendable, Equatable {
  /// Pixels of a row, at least 1.
  package let width: Int
  /// Number of rows, at least 1.
  package let height: Int
  /// `width · height` numbers, row-major, top row first.
  package let values: [UInt16]

  /// Makes a map of existing numbers, exactly `width · height` of them.
  package init(width: Int, height: Int, values: [UInt16]) {
    precondition(
      width > 0 && height > 0 && values.count == width * height,
      "\(values.count) labels do not fill \(width)×\(height)")
    self.width = width
    self.height = height
    self.values = values
  }
}

extension LabelMap {
  /// Reads a gray or palette PNG: the gray value or the palette's index of each pixel, as stored.
  ///
  /// Palette, transparency, gamma and orientation are not looked at. 1, 2, 4, 8 and 16 bits.
  ///
  /// - Throws: ``ImageIOError`` with the file's path; `unsupported` for a picture in colour.
  package init(contentsOf url: URL) throws(ImageIOError) {
    let file = try ImageFile(contentsOf: url)
    guard file.format == .png else {
      throw .unsupported(
        file: file.name, format: file.format,
        detail: "a label map is a PNG file, which loses nothing")
    }
    self = try file.bytes.withUnsafeBufferPointer { bytes throws(ImageIOError) in
      try Self.decode(bytes, name: file.name)
    }
  }

  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, name: String
  ) throws(ImageIOError) -> LabelMap {
    let structure = try PNGStructure(bytes, name: name)
    let size = ImageInformation(
      format: .png, storedWidth: structure.width, storedHeight: structure.height, orientation: .up)
    try ImageDecoder().check(size, name: name)
    let state = UnsafeMutablePointer<png_image>.allocate(capacity: 1)
    defer { state.deallocate() }
    state.initialize(to: png_image())
    state.pointee.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(state) }
    // libpng keeps the address of the bytes until the pixels are read.
    let values = try structure.pixelChunks(bytes).withUnsafeBufferPointer {
      plain throws(ImageIOError) in
      guard png_image_begin_read_from_memory(state, plain.baseAddress, plain.count) != 0 else {
        throw fault(of: state, name: name)
      }
      guard Int(state.pointee.width) == structure.width,
        Int(state.pointee.height) == structure.height
      else {
        throw .corrupt(file: name, format: .png, detail: "it has two headers")
      }
      return try read(state, count: structure.width * structure.height, name: name)
    }
    return LabelMap(width: structure.width, height: structure.height, values: values)
  }

  private static func read(
    _ state: UnsafeMutablePointer<png_image>, count: Int, name: String
  ) throws(ImageIOError) -> [UInt16] {
    let stored = state.pointee.format
    let colors = png_uint_32(PNG_FORMAT_FLAG_COLOR) | png_uint_32(PNG_FORMAT_FLAG_ALPHA)
    let isPalette = stored & png_uint_32(PNG_FORMAT_FLAG_COLORMAP) != 0
    guard isPalette || stored & colors == 0
    else {
      throw .unsupported(
        file: name, format: .png, detail: "a label map is gray or has a palette; this is in colour")
    }
    if stored & png_uint_32(PNG_FORMAT_FLAG_LINEAR) != 0 {
      // Deep gray: without a word on gamma it counts as linear light, and passes unchanged.
      state.pointee.format = png_uint_32(PNG_FORMAT_FLAG_LINEAR)
      var values = [UInt16](repeating: 0, count: count)
      let isRead = values.withUnsafeMutableBufferPointer {
        png_image_finish_read(state, nil, $0.baseAddress, 0, nil)
      }
      guard isRead != 0 else { throw fault(of: state, name: name) }
      return values
    }
    // libpng makes a palette of gray in which each value, at the file's own depth, is its index.
    state.pointee.format =
      png_uint_32(PNG_FORMAT_FLAG_COLORMAP) | (isPalette ? png_uint_32(PNG_FORMAT_FLAG_COLOR) : 0)
    let palette = UnsafeMutablePointer<UInt8>.allocate(capacity: 256 * 3)
    defer { palette.deallocate() }
    let indices = try makePixels(count) { target throws(ImageIOError) in
      guard png_image_finish_read(state, nil, target, 0, palette) != 0 else {
        throw fault(of: state, name: name)
      }
    }
    return indices.map(UInt16.init)
  }

  private static func fault(
    of state: UnsafeMutablePointer<png_image>, name: String
  ) -> ImageIOError {
    let message = pngMessage(of: &state.pointee)
    return message.contains("memory")
      ? .outOfMemory(file: name) : .corrupt(file: name, format: .png, detail: message)
  }
}
