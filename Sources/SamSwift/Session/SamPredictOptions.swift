/// How large a mask is and how closely its edges follow the picture.
public enum SamQuality: String, Sendable, Hashable, CaseIterable {
  /// The decoder's own grid, cropped to the picture's shape: 128 (Lite) or 256 (MobileSAM) on the long side.
  case fast
  /// The model's frame, cropped to the picture's shape: 512 (Lite) or 1024 (MobileSAM) on the long side.
  case balanced
  /// Every pixel of the picture, the edges refined by an image-guided filter.
  case accurate
}

/// What a prediction returns.
public struct SamPredictOptions: Sendable {
  /// The masks' size.
  public var quality: SamQuality

  /// true returns the three readings of an ambiguous click instead of the one best answer.
  public var multimask: Bool

  /// Creates options.
  public init(quality: SamQuality = .balanced, multimask: Bool = false) {
    self.quality = quality
    self.multimask = multimask
  }
}
