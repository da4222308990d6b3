import SamModel

extension SamPoint {
  /// The point as the network takes it.
  ///
  /// - Throws: ``SamSwiftError/invalidPrompt(reason:)`` where it is not finite or not on the picture.
  func checked(in geometry: FrameGeometry) throws(SamSwiftError) -> Prompt.Point {
    let (width, height) = (geometry.imageWidth, geometry.imageHeight)
    guard (0...Double(width)).contains(x) && (0...Double(height)).contains(y) else {
      throw .invalidPrompt(
        reason: "point (\(x), \(y)) is not on the picture of \(width)×\(height) pixels")
    }
    return Prompt.Point(x: Float(x), y: Float(y), isIncluded: label == .include)
  }
}

extension SamBox {
  /// The box as the network takes it: corners in order, cut off at the picture's edges.
  ///
  /// - Throws: ``SamSwiftError/invalidPrompt(reason:)`` where a corner is not finite or no part of
  ///   the picture lies inside.
  func checked(in geometry: FrameGeometry) throws(SamSwiftError) -> Prompt.Box {
    let (width, height) = (geometry.imageWidth, geometry.imageHeight)
    guard x0.isFinite && y0.isFinite && x1.isFinite && y1.isFinite else {
      throw .invalidPrompt(
        reason: "box (\(x0), \(y0))–(\(x1), \(y1)) has a corner that is no number")
    }
    let left = min(max(min(x0, x1), 0), Double(width))
    let right = min(max(max(x0, x1), 0), Double(width))
    let top = min(max(min(y0, y1), 0), Double(height))
    let bottom = min(max(max(y0, y1), 0), Double(height))
    guard left < right && top < bottom else {
      throw .invalidPrompt(
        reason:
          "box (\(x0), \(y0))–(\(x1), \(y1)) holds nothing of the picture of \(width)×\(height) pixels"
      )
    }
    return Prompt.Box(x0: Float(left), y0: Float(top), x1: Float(right), y1: Float(bottom))
  }
}

extension SamLogits {
  /// The logits as the network takes them.
  ///
  /// - Throws: ``SamSwiftError/invalidPrompt(reason:)`` where they are of another size than this
  ///   picture's grid.
  func checked(in geometry: FrameGeometry) throws(SamSwiftError) -> LogitGrid {
    guard width == geometry.gridWidth && height == geometry.gridHeight else {
      throw .invalidPrompt(
        reason: """
          the mask input is \(width)×\(height), this picture's grid \
          \(geometry.gridWidth)×\(geometry.gridHeight)
          """)
    }
    guard values.allSatisfy({ !$0.isNaN }) else {
      throw .invalidPrompt(reason: "the mask input holds a value that is no number")
    }
    return grid
  }
}

extension SamSwiftError {
  /// A fault of the network, in the words of a session.
  init(_ error: ModelError) {
    switch error {
    case .cancelled: self = .cancelled
    case .badPicture(let reason): self = .imageUnreadable(reason: reason)
    case .badPrompt(let reason): self = .invalidPrompt(reason: reason)
    case .missingTensor(_, let checkpoint), .unknownTensors(_, let checkpoint),
      .wrongShape(_, _, _, let checkpoint), .wrongType(_, _, _, let checkpoint),
      .badConfiguration(_, let checkpoint):
      self = .modelUnavailable(model: checkpoint, reason: "\(error)")
    }
  }
}
