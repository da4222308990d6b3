extension MaskOutline {
  /// A line of a YOLO segmentation label file: category, then x and y of each point as shares of the
  /// picture's width and height, six digits.
  ///
  /// A line stands for one object, whatever its pieces and holes: they are joined (see
  /// ``singleRing``). nil for an empty mask, which has no line.
  public func yoloLine(category: Int = 0) -> String? {
    let points = singleRing
    guard !points.isEmpty else { return nil }
    var text = String(category)
    for point in points {
      text += " \(share(point.x, of: width)) \(share(point.y, of: height))"
    }
    return text
  }

  private func share(_ value: Double, of length: Int) -> Double {
    (value / Double(length) * 1e6).rounded() / 1e6
  }
}
