import SamEditing
import SamImageIO
import SamModel
import SamTensor

/// Makes alpha masks of one picture from low-resolution answers.
final class MaskRenderer: Sendable {
  private let picture: PixelImage
  private let geometry: FrameGeometry
  private let postprocessor: MaskPostprocessor
  private let guide: Once<GuidedFilter>

  init(picture: PixelImage, geometry: FrameGeometry, threads: Int?) {
    self.picture = picture
    self.geometry = geometry
    postprocessor = MaskPostprocessor(geometry: geometry, threads: threads)
    guide = Once { Self.makeGuide(picture: picture, geometry: geometry) }
  }

  /// The mask of an answer at a quality level; pixels outside `region` are 0.
  func render(_ answer: Answer.Scored, quality: SamQuality, region: PixelRegion? = nil) -> SamMask {
    let alpha =
      switch quality {
      case .fast: bytes(answer.grid, .grid)
      case .balanced: bytes(answer.grid, .frame)
      case .accurate: guidedBytes(answer.grid)
      }
    let scale = scale(quality)
    return SamMask(
      score: answer.score, logits: SamLogits(answer.grid),
      alpha: region.map { alpha.blanked(outside: $0, pixelWidth: scale.x, pixelHeight: scale.y) }
        ?? alpha,
      imageWidth: geometry.imageWidth, imageHeight: geometry.imageHeight, pixelWidth: scale.x,
      pixelHeight: scale.y)
  }

  /// Pixels of the picture that one pixel of a mask is wide and high.
  private func scale(_ quality: SamQuality) -> (x: Double, y: Double) {
    let frame = (
      x: Double(geometry.imageWidth) / Double(geometry.resizedWidth),
      y: Double(geometry.imageHeight) / Double(geometry.resizedHeight)
    )
    switch quality {
    case .fast:
      return (frame.x * Double(geometry.maskStride), frame.y * Double(geometry.maskStride))
    case .balanced: return frame
    case .accurate: return (1, 1)
    }
  }

  private func bytes(_ grid: LogitGrid, _ size: MaskPostprocessor.Size) -> PixelImage {
    let extent = postprocessor.extent(size)
    return PixelImage(
      width: extent.width, height: extent.height, channels: 1,
      pixels: postprocessor.bytes(grid, size: size))
  }

  /// The mask at the picture's size, its edges moved to the picture's.
  private func guidedBytes(_ grid: LogitGrid) -> PixelImage {
    let guide = guide.value
    let samples = postprocessor.logits(
      grid, size: .custom(width: guide.width, height: guide.height))
    let mask = guide.fit(samples)
    let pixels = postprocessor.bytes(grid, size: .picture) { y, row, output in
      mask.refineRow(y, logits: row, output: output)
    }
    return PixelImage(
      width: geometry.imageWidth, height: geometry.imageHeight, channels: 1, pixels: pixels)
  }

  /// Two samples for each cell of the decoder, and a window that reaches two and a half cells: as far
  /// as the edges of masks on held-out photographs are off, and where their IoU and boundary F-score
  /// gain most.
  private static func makeGuide(picture: PixelImage, geometry: FrameGeometry) -> GuidedFilter {
    let samplesPerCell = 2
    let stride = geometry.maskStride
    let width = min(picture.width, max(1, geometry.resizedWidth * samplesPerCell / stride))
    let height = min(picture.height, max(1, geometry.resizedHeight * samplesPerCell / stride))
    let cellsAcross = Double(geometry.resizedWidth) / Double(stride)
    let cellsDown = Double(geometry.resizedHeight) / Double(stride)
    let samples = max(Double(width) / cellsAcross, Double(height) / cellsDown)
    return GuidedFilter(
      picture: picture, width: width, height: height,
      options: .init(radius: max(1, Int((2.5 * samples).rounded()))))
  }
}

extension SamLogits {
  init(_ grid: LogitGrid) {
    self.init(width: grid.width, height: grid.height, values: grid.values)
  }

  var grid: LogitGrid { LogitGrid(width: width, height: height, values: values) }
}
