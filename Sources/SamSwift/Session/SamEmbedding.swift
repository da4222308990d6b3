import Foundation
import SamModel

/// What the encoder knows about one picture; saving it spares encoding the picture again.
public struct SamEmbedding: Sendable {
  let encoded: ImageEmbedding
  /// The model that made it.
  public let model: String

  /// Width of the picture, in pixels.
  public var imageWidth: Int { encoded.geometry.imageWidth }

  /// Height of the picture, in pixels.
  public var imageHeight: Int { encoded.geometry.imageHeight }
}
