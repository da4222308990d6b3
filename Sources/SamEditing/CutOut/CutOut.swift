import SamImageIO

/// How an object is lifted out of its picture.
public struct CutOutOptions: Sendable, Hashable {
  /// What lies behind the object.
  public var background: SamBackground
  /// What is done to the background and round the object, in order; from the back to the front.
  public var effects: [SubjectEffect]
  /// Whether the result is cut to the object and the outlines round it.
  public var trim: Bool
  /// Pixels added on every side, after trimming.
  ///
  /// They may lie beyond the picture, where nothing is; a trimmed result over the picture itself ends where the picture
  /// does.
  public var padding: Int
  /// How many pixels to each side of the mask's line are checked for the old background, at most 9.
  ///
  /// There the object's own colours and its share of each pixel are estimated from what is surely
  /// object and surely background nearby, so that no seam of the old background shows on a new one.
  /// nil chooses by the picture's size; 0 takes mask and picture as they are.
  public var edgeReach: Int?
  /// Whether the mask's probabilities become clean edges of a pixel or two first.
  public var cleanEdges: Bool

  /// Creates options; the defaults give the object on transparency, of the picture's size.
  public init(
    background: SamBackground = .transparent, effects: [SubjectEffect] = [], trim: Bool = false,
    padding: Int = 0, edgeReach: Int? = nil, cleanEdges: Bool = true
  ) {
    self.background = background
    self.effects = effects
    self.trim = trim
    self.padding = padding
    self.edgeReach = edgeReach
    self.cleanEdges = cleanEdges
  }
}

/// Objects of a picture being lifted out of it.
package struct CutOut: Sendable {
  private let picture: PixelImage
  private let subject: Subject
  private let canvas: Canvas
  /// The mask with clean edges, of the canvas's size: what outlines are drawn round.
  private let outline: [UInt8]
  private let options: CutOutOptions
  private let shimmer: Shimmer
  private let loop: RowLoop

  /// Results may have this many pixels.
  private static let largest = 1 << 28

  /// Separates what the masks show from the picture; several masks count as one object.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - masks: What to lift.
  ///   - options: Background, effects, trimming.
  ///   - shimmer: A light for ``animate()``.
  ///   - loop: How the work is spread over threads.
  /// - Throws: ``EditingError`` for masks of another size and options out of range.
  package init(
    of picture: PixelImage, masks: [AlphaLayer], options: CutOutOptions = CutOutOptions(),
    shimmer: Shimmer = Shimmer(), loop: RowLoop = .serial
  ) throws(EditingError) {
    try options.check()
    try shimmer.check()
    self.picture = picture
    self.options = options
    self.shimmer = shimmer
    self.loop = loop
    let width = picture.width
    let height = picture.height
    var mask = try AlphaLayer.union(masks, width: width, height: height, loop: loop)
    if options.cleanEdges { mask = mask.withCleanEdges(loop: loop) }
    if picture.hasAlpha { mask = mask.limited(toAlphaOf: picture) }
    let longSide = max(width, height)
    let reach = options.edgeReach ?? min(EdgeColours.farthest, max(2, (longSide + 100) / 200))
    subject =
      reach == 0
      ? Subject(picture, alpha: mask.pixels)
      : EdgeColours(reach: reach).subject(of: picture, alpha: mask.pixels, loop: loop)
    canvas = try Self.canvas(for: subject, options: options)
    outline = canvas.cropped(mask.pixels, width: width, height: height)
  }

  /// Paints the result: RGB where it is opaque everywhere, RGBA elsewhere.
  package func render() -> PixelImage {
    var stages: [RowStage] = []
    if let stage = options.background.stage(canvas, picture: picture, subject: subject) {
      stages.append(stage)
    }
    let longSide = max(picture.width, picture.height)
    let reach = options.effects.map { $0.reach(longSide: longSide) }.max() ?? 0
    let map = reach > 0 ? distances(reach: reach) : nil
    for effect in options.effects {
      switch effect {
      case .highlight(let brightness):
        stages.append(BackgroundTone.dimmed(canvas, brightness: brightness))
      case .gray(let amount):
        stages.append(BackgroundTone.gray(canvas, amount: amount))
      case .blur(let radius):
        let blur = BackgroundBlur(
          canvas, of: stages, hidden: outline, radius: radius ?? max(2, Double(longSide) / 60),
          loop: loop)
        stages.append(blur.stage)
      case .glow(let glow):
        if let map { stages.append(GlowLight(glow, longSide: longSide).stage(map)) }
      case .sticker(let sticker):
        if let map { stages += StickerBorder(sticker, longSide: longSide).stages(map) }
      }
    }
    stages.append(subject.stage(canvas))
    return stages.render(width: canvas.width, height: canvas.height, loop: loop)
  }

  /// Paints the result with a light that travels round the object.
  package func animate() -> PixelAnimation { frames().animation() }

  /// The frames of ``animate()``, to be painted one after the other.
  package func frames() -> ShimmerFrames {
    let longSide = max(picture.width, picture.height)
    let path = ShimmerPath(
      PixelImage(width: canvas.width, height: canvas.height, channels: 1, pixels: outline),
      width: Float(shimmer.width ?? max(2, Double(longSide) / 120)),
      offset: options.effects.map { $0.borderWidth(longSide: longSide) }.max() ?? 0, loop: loop)
    return ShimmerFrames(render(), path: path, shimmer: shimmer, loop: loop)
  }

  private func distances(reach: Int) -> DistanceMap {
    DistanceMap(
      mask: outline, width: canvas.width, height: canvas.height, to: .object,
      limit: min(reach, DistanceMap.farthest), loop: loop)
  }

  /// The picture, or the object's surroundings; an empty mask has nothing to trim to.
  private static func canvas(
    for subject: Subject, options: CutOutOptions
  ) throws(EditingError) -> Canvas {
    var left, top, right, bottom: Int
    if options.trim, let box = subject.extent {
      let longSide = max(subject.width, subject.height)
      let outlines = options.effects.map { $0.reach(longSide: longSide) }.max() ?? 0
      left = box.columns.lowerBound - outlines - options.padding
      top = box.rows.lowerBound - outlines - options.padding
      right = box.columns.upperBound + outlines + options.padding
      bottom = box.rows.upperBound + outlines + options.padding
      // A background of the picture's own has nothing to show beyond it.
      if options.background == .picture {
        (left, top) = (max(0, left), max(0, top))
        (right, bottom) = (min(subject.width, right), min(subject.height, bottom))
      }
    } else {
      (left, top) = (-options.padding, -options.padding)
      (right, bottom) = (subject.width + options.padding, subject.height + options.padding)
    }
    let width = right - left
    let height = bottom - top
    guard width.multipliedReportingOverflow(by: height).overflow == false,
      width * height <= largest
    else { throw .resultTooLarge(width: width, height: height, limit: largest) }
    return Canvas(width: width, height: height, left: left, top: top)
  }
}

extension CutOutOptions {
  fileprivate func check() throws(EditingError) {
    for effect in effects { try effect.check() }
    guard (0...100_000).contains(padding) else {
      throw .invalidOption(
        name: "padding", value: "\(padding)", wanted: "a whole number from 0 to 100000")
    }
    if let edgeReach, !(0...EdgeColours.farthest).contains(edgeReach) {
      throw .invalidOption(
        name: "edgeReach", value: "\(edgeReach)",
        wanted: "a whole number from 0 to \(EdgeColours.farthest)")
    }
  }
}

extension PixelImage {
  /// A mask without noise and with edges of a pixel or two.
  fileprivate func withCleanEdges(loop: RowLoop) -> PixelImage {
    let smooth = smoothed(loop: loop)
    // An object of a pixel or two is not noise if it is all there is.
    return (MaskMeasure(smooth).count > 0 ? smooth : self).sharpened(loop: loop)
  }

  /// A mask lowered to the alpha of a picture of its size.
  fileprivate func limited(toAlphaOf picture: PixelImage) -> PixelImage {
    var limited = self
    limited.withUnsafeMutablePixels { mask in
      picture.pixels.withUnsafeBufferPointer { pixels in
        for index in mask.indices { mask[index] = min(mask[index], pixels[index * 4 + 3]) }
      }
    }
    return limited
  }
}

extension Subject {
  /// Alpha below this is not worth a larger result.
  private static let visible: UInt8 = 8

  /// The smallest rectangle round what can be seen of the object; nil where there is nothing.
  fileprivate var extent: (columns: Range<Int>, rows: Range<Int>)? {
    let measure = MaskMeasure(
      PixelImage(width: width, height: height, channels: 1, pixels: alpha), from: Self.visible)
    return measure.count > 0 ? (measure.columns, measure.rows) : nil
  }

  /// Paints the object over what is there.
  fileprivate func stage(_ canvas: Canvas) -> RowStage {
    RowStage {
      { y, row in
        guard canvas.shows(y, ofHeight: height) else { return }
        let start = (y + canvas.top) * width + canvas.left
        alpha.withUnsafeBufferPointer { alpha in
          colours.withUnsafeBufferPointer { colours in
            for x in canvas.columns(ofWidth: width) {
              let cover = alpha[start + x]
              if cover == 0 { continue }
              let index = (start + x) * 3
              let colour = SIMD4<Float>(
                Float(colours[index]), Float(colours[index + 1]), Float(colours[index + 2]), 255)
              row[x] =
                cover == 255 ? colour : RowStage.over(row[x], colour * (Float(cover) * (1 / 255)))
            }
          }
        }
      }
    }
  }
}
