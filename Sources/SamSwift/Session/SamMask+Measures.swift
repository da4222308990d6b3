extension SamMask {
  /// The smallest box round the pixels inside, in pixels of the picture; nil where there are none.
  public var boundingBox: SamBox? { fatalError("in progress") }

  /// How many pixels of the picture lie inside (rounded where the mask is smaller than the picture).
  public var area: Int { fatalError("in progress") }
}
