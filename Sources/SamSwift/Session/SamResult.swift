/// The masks for one prompt.
public struct SamResult: Sendable {
  /// The answer, or with `multimask` the three readings of a click; the best score first, never empty.
  public let masks: [SamMask]

  /// The decoder's three readings of an ambiguous click, the best score first, without pixels.
  public let candidates: [SamCandidate]

  /// How long each step took.
  public let timings: SamTimings

  package init(masks: [SamMask], candidates: [SamCandidate], timings: SamTimings) {
    precondition(!masks.isEmpty, "a result holds at least one mask")
    self.masks = masks
    self.candidates = candidates
    self.timings = timings
  }

  /// The mask with the best score.
  public var best: SamMask { masks[0] }
}

/// One reading of a click: a low-resolution answer that can be fed back as a prompt's `maskInput`.
public struct SamCandidate: Sendable {
  /// The network's estimate of the mask's IoU with the true object, 0...1.
  public let score: Float
  /// The decoder's grid.
  public let logits: SamLogits

  package init(score: Float, logits: SamLogits) {
    self.score = score
    self.logits = logits
  }
}

/// Wall-clock time of each step of a prediction.
public struct SamTimings: Sendable, Hashable {
  /// Reading and decoding the picture's file; zero for pixels in memory.
  public var decodeImage: Duration
  /// Resizing the picture and computing its embedding, once per picture.
  public var encodeImage: Duration
  /// Decoding the prompts into low-resolution logits.
  public var decodePrompt: Duration
  /// Turning logits into masks.
  public var renderMask: Duration

  /// Creates timings.
  public init(
    decodeImage: Duration = .zero, encodeImage: Duration = .zero, decodePrompt: Duration = .zero,
    renderMask: Duration = .zero
  ) {
    self.decodeImage = decodeImage
    self.encodeImage = encodeImage
    self.decodePrompt = decodePrompt
    self.renderMask = renderMask
  }
}

/// The decoder's low-resolution answer: row-major logits, above 0 is inside.
public struct SamLogits: Sendable, Hashable {
  /// Columns, padding of the model's frame included.
  public let width: Int
  /// Rows, padding included.
  public let height: Int
  /// `width · height` values.
  public let values: [Float]

  /// Creates logits; `values` must hold `width · height` numbers.
  public init(width: Int, height: Int, values: [Float]) {
    precondition(
      width >= 0 && height >= 0 && values.count == width * height,
      "\(values.count) logits do not fill \(width)×\(height)")
    self.width = width
    self.height = height
    self.values = values
  }
}
