/// Where each pixel of the picture reads the decoder's grid along one axis: SAM enlarges the grid to the
/// frame, crops the padding, and only then resizes to the picture.
struct PictureTaps: Sendable {
  /// From the grid to the resized picture inside the frame.
  let toFrame: BilinearTaps
  /// From there to the picture.
  let toPicture: BilinearTaps

  init(gridCount: Int, resized: Int, image: Int, stride: Int) {
    toFrame = BilinearTaps(inputCount: gridCount, count: resized, scale: 1 / Float(stride))
    toPicture = BilinearTaps(inputCount: resized, count: image)
  }

  static func columns(_ geometry: FrameGeometry) -> PictureTaps {
    PictureTaps(
      gridCount: geometry.gridWidth, resized: geometry.resizedWidth, image: geometry.imageWidth,
      stride: geometry.maskStride)
  }

  static func rows(_ geometry: FrameGeometry) -> PictureTaps {
    PictureTaps(
      gridCount: geometry.gridHeight, resized: geometry.resizedHeight, image: geometry.imageHeight,
      stride: geometry.maskStride)
  }
}
