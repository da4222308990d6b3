import SamEditing
import SamImageIO

extension SamMask {
  /// A mask put right: specks removed, holes filled, the clicked piece kept, the outline smoothed.
  ///
  /// - Parameters:
  ///   - cleanUp: What to do; areas are in pixels of the picture.
  ///   - points: The clicks of the prompt; those that include tell which piece is meant.
  /// - Returns: A mask of the same size, with the same score.
  /// - Throws: ``SamSwiftError/editing(_:)`` for numbers out of range.
  public func cleaned(
    _ cleanUp: MaskCleanUp, points: [SamPoint] = []
  ) throws(SamSwiftError) -> SamMask {
    let clicks = points.filter { $0.label == .include }.map {
      (x: $0.x / pixelWidth, y: $0.y / pixelHeight)
    }
    do {
      return replacing(
        alpha: try cleanUp(
          alpha, clicks: clicks, pixelArea: pixelWidth * pixelHeight, loop: .allCores))
    } catch { throw .editing(error) }
  }

  /// The mask as run lengths in COCO's order, with one pixel for each pixel of the picture.
  public func runLengths() throws(SamSwiftError) -> MaskRuns {
    MaskRuns(try atPictureSize().alpha)
  }

  /// The mask as polygons with holes, in pixels of the picture.
  ///
  /// - Parameter tolerance: How far the lines may lie from the pixels' own, in pixels; 0 follows every
  ///   side of every pixel, 1 takes the stairs away.
  /// - Returns: A polygon for each piece that keeps at least three points; none for an empty mask.
  /// - Throws: ``SamSwiftError/editing(_:)`` for a tolerance below 0.
  public func outline(tolerance: Double = 1) throws(SamSwiftError) -> MaskOutline {
    let image = try atPictureSize().alpha
    do {
      return try MaskOutline(image, tolerance: tolerance)
    } catch { throw .editing(error) }
  }
}
