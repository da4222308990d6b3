extension SamEverythingOptions {
  /// - Throws: ``SamSwiftError/invalidOptions(reason:)`` for a number out of its range.
  func check() throws(SamSwiftError) {
    try Self.check("pointsPerSide", pointsPerSide, 1...256)
    try Self.check("pointsPerBatch", pointsPerBatch, 1...4096)
    try Self.check("cropLayers", cropLayers, 0...4)
    try Self.check("cropPointsDownscale", cropPointsDownscale, 1...16)
    try Self.check("minimumRegionArea", minimumRegionArea, 0...Int(Int32.max))
    try Self.check("cropOverlapRatio", cropOverlapRatio, 0...0.99)
    try Self.check("stabilityOffset", stabilityOffset, 0...1000)
    for (name, value) in [
      ("scoreThreshold", scoreThreshold), ("stabilityThreshold", stabilityThreshold),
      ("boxOverlapLimit", boxOverlapLimit), ("cropOverlapLimit", cropOverlapLimit),
    ] where !value.isFinite {
      throw .invalidOptions(reason: "\(name) has to be a number, not \(value)")
    }
  }

  private static func check<Number: Comparable & Sendable>(
    _ name: String, _ value: Number, _ range: ClosedRange<Number>
  ) throws(SamSwiftError) {
    guard range.contains(value) else {
      throw .invalidOptions(
        reason: "\(name) has to be \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
  }
}
