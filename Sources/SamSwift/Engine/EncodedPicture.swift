import SamImageIO
import SamModel

/// A picture with everything that is computed once for it.
final class EncodedPicture: Sendable {
  let picture: PixelImage
  let embedding: ImageEmbedding
  let renderer: MaskRenderer
  /// Time that reading and encoding took.
  let timings: SamTimings

  init(
    picture: PixelImage, embedding: ImageEmbedding, threads: Int?, timings: SamTimings
  ) {
    self.picture = picture
    self.embedding = embedding
    self.timings = timings
    renderer = MaskRenderer(picture: picture, geometry: embedding.geometry, threads: threads)
  }

  var geometry: FrameGeometry { embedding.geometry }
}
