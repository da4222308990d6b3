import SamImageIO

/// What is put right in a mask; by default nothing.
public struct MaskCleanUp: Sendable, Hashable {
  /// Pieces of fewer pixels of the picture are removed; 0 keeps all.
  public var minimumArea: Int
  /// Holes of fewer pixels of the picture are filled; 0 keeps all.
  public var maximumHole: Int
  /// Keeps only the pieces that hold a click, or the one nearest to a click that lies in none.
  public var keepsClicked: Bool
  /// The outline is smoothed with a Gaussian of this standard deviation in pixels; 0 leaves it.
  public var smoothing: Double

  /// Chooses what is put right.
  public init(
    minimumArea: Int = 0, maximumHole: Int = 0, keepsClicked: Bool = false, smoothing: Double = 0
  ) {
    self.minimumArea = minimumArea
    self.maximumHole = maximumHole
    self.keepsClicked = keepsClicked
    self.smoothing = smoothing
  }

  /// Whether there is anything to do.
  public var isEmpty: Bool {
    minimumArea <= 0 && maximumHole <= 0 && !keepsClicked && smoothing == 0
  }
}

extension MaskCleanUp {
  /// Puts a gray mask right: pieces first, then holes, then the outline.
  ///
  /// Pieces are connected by sides and corners, holes by sides; what reaches the border is no hole. A
  /// removed piece takes its soft rim along. Linear in the pixels.
  ///
  /// - Parameters:
  ///   - mask: 128 and above is inside.
  ///   - clicks: Where the object was pointed at, in pixels of the mask.
  ///   - pixelArea: Pixels of the picture that a pixel of the mask stands for.
  ///   - loop: How the rows are spread over threads; the result does not depend on it.
  /// - Returns: A gray mask of the same size.
  /// - Throws: ``EditingError`` for a mask in colour and numbers out of range.
  package func callAsFunction(
    _ mask: PixelImage, clicks: [(x: Double, y: Double)] = [], pixelArea: Double = 1,
    loop: RowLoop = .serial
  ) throws(EditingError) -> PixelImage {
    try check(mask)
    var pixels = mask.pixels
    let (width, height) = (mask.width, mask.height)
    if minimumArea > 0 || keepsClicked {
      let pieces = MaskComponents(pixels, width: width, height: height, connectivity: .eight)
      var kept = pieces.areas.map { Double($0) * pixelArea >= Double(minimumArea) }
      if keepsClicked {
        let clicked = pieces.pieces(at: clicks)
        // Without a click there is nothing to choose by.
        if !clicked.isEmpty {
          for piece in kept.indices where !clicked.contains(piece) { kept[piece] = false }
        }
      }
      pixels.withoutPieces(pieces, kept: kept, width: width, height: height, flip: 0)
    }
    if maximumHole > 0 {
      let holes = MaskComponents(
        pixels, width: width, height: height, connectivity: .four, flip: 255)
      let isOpen = holes.reachesBorder(width: width, height: height)
      let kept = zip(holes.areas, isOpen).map { area, isOpen in
        isOpen || Double(area) * pixelArea >= Double(maximumHole)
      }
      pixels.withoutPieces(holes, kept: kept, width: width, height: height, flip: 255)
    }
    let image = PixelImage(width: width, height: height, channels: 1, pixels: pixels)
    guard smoothing > 0 else { return image }
    return image.blurred(deviation: smoothing, loop: loop).sharpened(loop: loop)
  }

  private func check(_ mask: PixelImage) throws(EditingError) {
    guard mask.channels == 1 else {
      throw .notGray(what: "a mask to clean up", channels: mask.channels)
    }
    guard (0...1000).contains(smoothing) else {
      throw .invalidOption(
        name: "smoothing", value: "\(smoothing)", wanted: "a number from 0 to 1000")
    }
  }
}

extension MaskComponents {
  /// The pieces that hold a click; for a click in none, the piece nearest to it.
  fileprivate func pieces(at clicks: [(x: Double, y: Double)]) -> Set<Int> {
    var found: Set<Int> = []
    for click in clicks {
      var nearest: (piece: Int, square: Double)?
      for run in runs {
        // The pixel of a run that is nearest to the click.
        let dx = max(0, Double(run.start) - click.x, click.x - Double(run.end))
        let dy = max(0, Double(run.row) - click.y, click.y - Double(run.row) - 1)
        let square = dx * dx + dy * dy
        if square < nearest?.square ?? .infinity { nearest = (Int(run.piece), square) }
      }
      if let nearest { found.insert(nearest.piece) }
    }
    return found
  }

  /// Whether each piece has a pixel at the border.
  fileprivate func reachesBorder(width: Int, height: Int) -> [Bool] {
    var reaches = [Bool](repeating: false, count: count)
    for run in runs
    where run.row == 0 || Int(run.row) == height - 1 || run.start == 0 || Int(run.end) == width {
      reaches[Int(run.piece)] = true
    }
    return reaches
  }
}

extension [UInt8] {
  /// Takes pieces out of a mask, each with the soft rim that belongs to it.
  ///
  /// The rim's pixels are shared out among the pieces by a flood that starts at all of them at once: each
  /// pixel goes with the piece that reaches it first, in steps to the four sides.
  ///
  /// `flip` is 0 for pieces of 128 and above, 255 for pieces below 128.
  fileprivate mutating func withoutPieces(
    _ components: MaskComponents, kept: [Bool], width: Int, height: Int, flip: UInt8
  ) {
    guard kept.contains(false) else { return }
    // 0: not reached, 1: kept, 2: removed.
    var fates = [UInt8](repeating: 0, count: count)
    withUnsafeMutableBufferPointer { pixels in
      fates.withUnsafeMutableBufferPointer { fates in
        for run in components.runs {
          let fate: UInt8 = kept[Int(run.piece)] ? 1 : 2
          for x in run.columns { fates[Int(run.row) * width + x] = fate }
        }
        var front: [Int32] = []
        func spread(from index: Int) {
          let fate = fates[index]
          let x = index % width
          func reach(_ other: Int) {
            guard fates[other] == 0, pixels[other] != flip else { return }
            fates[other] = fate
            front.append(Int32(truncatingIfNeeded: other))
          }
          if x > 0 { reach(index - 1) }
          if x + 1 < width { reach(index + 1) }
          if index >= width { reach(index - width) }
          if index + width < pixels.count { reach(index + width) }
        }
        for run in components.runs {
          for x in run.columns { spread(from: Int(run.row) * width + x) }
        }
        while !front.isEmpty {
          let reached = front
          front.removeAll(keepingCapacity: true)
          for index in reached { spread(from: Int(index)) }
        }
        for index in pixels.indices where fates[index] == 2 { pixels[index] = flip }
      }
    }
  }
}
