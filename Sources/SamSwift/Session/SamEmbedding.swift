import Foundation
import SamCheckpoint
import SamImageIO
import SamModel

/// What the encoder knows about one picture; saving it spares encoding the picture again.
///
/// It belongs to the model that made it, and to the picture: a session wants both. Files are
/// safetensors; an embedding takes 1 MB to 4 MB.
public struct SamEmbedding: Sendable {
  /// Width of the picture, in pixels.
  public let imageWidth: Int

  /// Height of the picture, in pixels.
  public let imageHeight: Int

  /// The name of the model that made it.
  public let model: String

  /// Tell the weights and the picture from others; the model's name and the picture's size do not.
  let weights: String
  let picture: String

  private let storage: Storage

  private enum Storage: Sendable {
    case computed(ImageEmbedding)
    case saved(any Checkpoint)
  }

  init(_ embedding: ImageEmbedding, of picture: PixelImage, by network: SegmentationNetwork) {
    imageWidth = embedding.geometry.imageWidth
    imageHeight = embedding.geometry.imageHeight
    model = network.configuration.name
    weights = network.fingerprint.text
    self.picture = picture.fingerprint.text
    storage = .computed(embedding)
  }

  /// Reads an embedding from a file.
  ///
  /// - Parameter url: What ``save(to:)`` wrote.
  /// - Throws: ``SamSwiftError/embeddingUnusable(file:reason:)``.
  public init(contentsOf url: URL) throws(SamSwiftError) {
    let file: any Checkpoint
    do {
      file = try CheckpointFile.open(url)
    } catch { throw .embeddingUnusable(file: url.path, reason: "\(error)") }
    guard let model = file.metadata[Key.model], let width = file.metadata[Key.width],
      let height = file.metadata[Key.height], let weights = file.metadata[Key.weights],
      let picture = file.metadata[Key.picture]
    else {
      throw .embeddingUnusable(file: url.path, reason: "it holds no embedding of SamSwift")
    }
    // No picture that can be read has a longer side.
    let sides = 1...268_435_456
    guard let imageWidth = Int(width), let imageHeight = Int(height), sides.contains(imageWidth),
      sides.contains(imageHeight)
    else {
      throw .embeddingUnusable(
        file: url.path, reason: "a picture of \(width)×\(height) pixels cannot be")
    }
    self.imageWidth = imageWidth
    self.imageHeight = imageHeight
    self.model = model
    self.weights = weights
    self.picture = picture
    storage = .saved(file)
  }

  /// Writes the embedding to a file, which appears under its name when it is complete.
  ///
  /// - Parameter url: A file that is replaced, or made.
  /// - Throws: ``SamSwiftError/embeddingUnusable(file:reason:)``.
  public func save(to url: URL) throws(SamSwiftError) {
    let tensors =
      switch storage {
      case .computed(let embedding): embedding.tensors
      case .saved(let file): file.tensors
      }
    let metadata = [
      Key.model: model, Key.width: "\(imageWidth)", Key.height: "\(imageHeight)",
      Key.weights: weights, Key.picture: picture,
    ]
    do {
      try SafetensorsWriter.write(tensors, metadata: metadata, to: url)
    } catch { throw .embeddingUnusable(file: url.path, reason: "\(error)") }
  }

  private enum Key {
    static let model = "samswift.embedding.model"
    static let width = "samswift.embedding.width"
    static let height = "samswift.embedding.height"
    static let weights = "samswift.embedding.weights"
    static let picture = "samswift.embedding.picture"
  }

  /// The embedding as the network that made it takes it.
  ///
  /// - Throws: ``SamSwiftError/embeddingMismatch(reason:)``,
  ///   ``SamSwiftError/embeddingUnusable(file:reason:)``.
  func resolved(
    by network: SegmentationNetwork, for image: PixelImage
  ) throws(SamSwiftError) -> ImageEmbedding {
    let name = network.configuration.name
    guard model == name else {
      throw .embeddingMismatch(reason: "it was made by \(model), this session is \(name)")
    }
    guard weights == network.fingerprint.text else {
      throw .embeddingMismatch(reason: "it was made by \(model) with other weights")
    }
    guard imageWidth == image.width && imageHeight == image.height else {
      throw .embeddingMismatch(
        reason: """
          it belongs to a picture of \(imageWidth)×\(imageHeight) pixels, this one has \
          \(image.width)×\(image.height)
          """)
    }
    guard picture == image.fingerprint.text else {
      throw .embeddingMismatch(reason: "it belongs to another picture of the same size")
    }
    switch storage {
    case .computed(let embedding): return embedding
    case .saved(let file):
      do {
        return try network.embedding(
          from: file, imageWidth: imageWidth, imageHeight: imageHeight)
      } catch { throw .embeddingUnusable(file: file.name, reason: "\(error)") }
    }
  }
}

extension PixelImage {
  /// A fingerprint of the pixels.
  fileprivate var fingerprint: Fingerprint {
    var result = Fingerprint()
    result.add("\(width) \(height) \(channels)")
    pixels.withUnsafeBytes { result.add($0) }
    return result
  }
}
