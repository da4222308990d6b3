import SamEditing
import SamImageIO
import SamTensor

extension SamMask {
  /// Lifts the object out of its picture.
  ///
  /// With the default options the result is RGBA of the picture's size: the object on transparency, its
  /// edges soft, and without a trace of the old background in them. Linear in the pixels.
  ///
  /// - Parameters:
  ///   - image: The picture that the mask belongs to.
  ///   - options: Background, effects, trimming.
  /// - Returns: RGB where it is opaque everywhere, RGBA elsewhere; of the picture's size unless the options trim or
  ///   pad it.
  /// - Throws: ``SamSwiftError/sizeMismatch(wanted:actual:what:)`` for a picture of another size,
  ///   ``SamSwiftError/editing(_:)`` for options out of range.
  public func extractObject(
    from image: PixelImage, options: CutOutOptions = CutOutOptions()
  ) throws(SamSwiftError) -> PixelImage {
    try Self.extractObject(from: image, masks: [self], options: options)
  }

  /// Lifts several objects out of their picture at once.
  ///
  /// - Parameters:
  ///   - image: The picture that the masks belong to.
  ///   - masks: The objects; where they overlap the larger value counts. Without masks nothing is lifted.
  ///   - options: Background, effects, trimming.
  /// - Returns: RGB where it is opaque everywhere, RGBA elsewhere; of the picture's size unless the options trim or
  ///   pad it.
  /// - Throws: ``SamSwiftError/sizeMismatch(wanted:actual:what:)`` for a picture of another size,
  ///   ``SamSwiftError/editing(_:)`` for options out of range.
  public static func extractObject(
    from image: PixelImage, masks: [SamMask], options: CutOutOptions = CutOutOptions()
  ) throws(SamSwiftError) -> PixelImage {
    try checkSizes(of: masks, for: image)
    do {
      return try CutOut(
        of: image, masks: masks.map(\.layer), options: options, loop: .allCores
      ).render()
    } catch { throw .editing(error) }
  }

  /// Lifts objects out of their picture with a light that travels round them.
  ///
  /// ``ImageEncoder/encode(_:)`` makes an animated PNG of the result.
  ///
  /// - Parameters:
  ///   - image: The picture that the masks belong to.
  ///   - masks: The objects.
  ///   - shimmer: The light.
  ///   - options: Background, effects, trimming.
  /// - Returns: One turn of the light round the object, to be repeated.
  /// - Throws: ``SamSwiftError/sizeMismatch(wanted:actual:what:)`` for a picture of another size,
  ///   ``SamSwiftError/editing(_:)`` for options out of range.
  public static func animateObject(
    from image: PixelImage, masks: [SamMask], shimmer: Shimmer = Shimmer(),
    options: CutOutOptions = CutOutOptions(background: .picture)
  ) throws(SamSwiftError) -> PixelAnimation {
    try cutOut(from: image, masks: masks, shimmer: shimmer, options: options).animate()
  }

  /// Writes what ``animateObject(from:masks:shimmer:options:)`` shows as an animated PNG, piece by piece.
  ///
  /// Memory: what the first frame takes, however many there are.
  ///
  /// - Parameters:
  ///   - image: The picture that the masks belong to.
  ///   - masks: The objects.
  ///   - shimmer: The light.
  ///   - options: Background, effects, trimming.
  ///   - write: Takes the next bytes of the file.
  /// - Throws: As ``animateObject(from:masks:shimmer:options:)`` before the first byte; then what `write` throws.
  package static func writeAnimation(
    from image: PixelImage, masks: [SamMask], shimmer: Shimmer, options: CutOutOptions,
    write: @escaping ([UInt8]) throws -> Void
  ) throws {
    let frames = try cutOut(from: image, masks: masks, shimmer: shimmer, options: options).frames()
    var writer = try AnimatedPNGWriter(
      width: frames.width, height: frames.height, channels: 4, frameCount: frames.count,
      millisecondsPerFrame: frames.millisecondsPerFrame, perform: RowLoop.allCores.perform,
      write: write)
    try frames.forEach { frame in
      try writer.append(
        .init(columns: frame.columns, rows: frame.rows, blending: frame.blending),
        writeRow: frame.write)
    }
    try writer.finish()
  }

  private static func cutOut(
    from image: PixelImage, masks: [SamMask], shimmer: Shimmer, options: CutOutOptions
  ) throws(SamSwiftError) -> CutOut {
    try checkSizes(of: masks, for: image)
    do {
      return try CutOut(
        of: image, masks: masks.map(\.layer), options: options, shimmer: shimmer, loop: .allCores)
    } catch { throw .editing(error) }
  }

  /// Every mask belongs to the picture, or an error.
  static func checkSizes(of masks: [SamMask], for image: PixelImage) throws(SamSwiftError) {
    for mask in masks
    where mask.imageWidth != image.width || mask.imageHeight != image.height {
      throw .sizeMismatch(
        wanted: "\(mask.imageWidth)×\(mask.imageHeight)", actual: "\(image.width)×\(image.height)",
        what: "the picture to lift an object out of")
    }
  }

  /// The mask as it lies over its picture.
  var layer: AlphaLayer {
    AlphaLayer(mask: alpha, pixelWidth: pixelWidth, pixelHeight: pixelHeight)
  }
}

extension RowLoop {
  /// Every core of the machine.
  static let allCores = RowLoop { count, body in
    Parallel.run(count, threads: Parallel.coreCount, body: body)
  }
}
