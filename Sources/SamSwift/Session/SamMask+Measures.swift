import SamEditing

extension SamMask {
  /// The smallest box round the pixels inside, in pixels of the picture; nil where there are none.
  ///
  /// Reads every pixel of `alpha`.
  public var boundingBox: SamBox? {
    let measure = MaskMeasure(alpha)
    guard measure.count > 0 else { return nil }
    return SamBox(
      x0: Double(measure.columns.lowerBound) * pixelWidth,
      y0: Double(measure.rows.lowerBound) * pixelHeight,
      x1: min(Double(measure.columns.upperBound) * pixelWidth, Double(imageWidth)),
      y1: min(Double(measure.rows.upperBound) * pixelHeight, Double(imageHeight)))
  }

  /// How many pixels of the picture lie inside (rounded where the mask is smaller than the picture).
  ///
  /// Reads every pixel of `alpha`.
  public var area: Int {
    let measured = Double(MaskMeasure(alpha).count) * pixelWidth * pixelHeight
    return min(Int(measured.rounded()), imageWidth * imageHeight)
  }
}
