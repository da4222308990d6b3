/// Every dimension of a network, once.
///
/// A checkpoint carries it as JSON under the metadata key `samswift.config`; a file without it whose keys are
/// MobileSAM's is MobileSAM.
package struct NetworkConfiguration: Sendable, Equatable, Decodable {
  /// `mobile-sam`, `samswift-lite`, or what the checkpoint says.
  package let name: String
  /// Long side of the frame.
  package let frameSize: Int
  /// Each side of the frame is padded to a multiple of it; nil pads to a square.
  package let padMultiple: Int?
  /// Frame pixels per embedding cell: 16.
  package let embeddingStride: Int
  /// Frame pixels per logit: 4.
  package let maskStride: Int
  /// Of R, G and B on the scale 0 to 255.
  package let pixelMean: [Float]
  package let pixelStd: [Float]
  package let encoder: Encoder
  package let promptEncoder: PromptEncoder
  package let maskDecoder: MaskDecoder

  /// The two families of encoders.
  package enum Encoder: Sendable, Equatable {
    /// TinyViT with SAM's neck (MobileSAM).
    case tinyViT(TinyViT)
    /// EfficientNet-Lite stages, an attention stage, a top-down merge (SamSwift Lite).
    case lite(Lite)
  }

  /// TinyViT: stage 0 is convolutional, the others are attention stages.
  package struct TinyViT: Sendable, Equatable, Decodable {
    package let dimensions: [Int]
    package let depths: [Int]
    package let heads: [Int]
    package let windows: [Int]
    /// Stride of the downsampling after stages 0, 1, 2.
    ///
    /// MobileSAM's third is 1, so that its grid stays 64 × 64.
    package let mergeStrides: [Int]
    package let expansion: Int
    package let mlpRatio: Int
    package let neckChannels: Int
    package let batchNormEpsilon: Float
    package let layerNormEpsilon: Float

    enum CodingKeys: String, CodingKey {
      case dimensions, depths, heads, windows, expansion
      case mergeStrides = "merge_strides"
      case mlpRatio = "mlp_ratio"
      case neckChannels = "neck_channels"
      case batchNormEpsilon = "batch_norm_eps"
      case layerNormEpsilon = "layer_norm_eps"
    }
  }

  /// EfficientNet-Lite stages with an attention stage on top.
  package struct Lite: Sendable, Equatable, Decodable {
    package struct Stage: Sendable, Equatable, Decodable {
      package let blocks: Int
      package let channels: Int
      package let kernel: Int
      package let stride: Int
      package let expansion: Int
    }

    package struct Attention: Sendable, Equatable, Decodable {
      package let dim: Int
      package let blocks: Int
      package let heads: Int
      package let window: Int
      package let mlpRatio: Int
      package let layerNormEpsilon: Float

      enum CodingKeys: String, CodingKey {
        case dim, blocks, heads, window
        case mlpRatio = "mlp_ratio"
        case layerNormEpsilon = "layer_norm_eps"
      }
    }

    package let stemChannels: Int
    package let stages: [Stage]
    package let batchNormEpsilon: Float
    package let attention: Attention
    /// Stages whose outputs are the stride-4 and stride-8 features.
    package let highResStages: [Int]
    /// The stage that is merged into the embedding.
    package let lateralStage: Int
    package let neckChannels: Int

    enum CodingKeys: String, CodingKey {
      case stages, attention
      case stemChannels = "stem_channels"
      case batchNormEpsilon = "batch_norm_eps"
      case highResStages = "high_res_stages"
      case lateralStage = "lateral_stage"
      case neckChannels = "neck_channels"
    }
  }

  package struct PromptEncoder: Sendable, Equatable, Decodable {
    package let dim: Int
    package let maskChannels: Int
    package let densePrompt: DensePrompt?

    /// Lite's map of clicks, box and previous mask beside the tokens.
    package struct DensePrompt: Sendable, Equatable, Decodable {
      /// A click is exp(−d² / this), d in cells of the map.
      package let gaussianDenominator: Float

      enum CodingKeys: String, CodingKey {
        case gaussianDenominator = "gaussian_denominator"
      }
    }

    enum CodingKeys: String, CodingKey {
      case dim
      case maskChannels = "mask_channels"
      case densePrompt = "dense_prompt"
    }
  }

  package struct MaskDecoder: Sendable, Equatable, Decodable {
    package let dim: Int
    package let depth: Int
    package let heads: Int
    package let mlpDim: Int
    package let attentionDownsample: Int
    package let maskTokens: Int

    enum CodingKeys: String, CodingKey {
      case dim, depth, heads
      case mlpDim = "mlp_dim"
      case attentionDownsample = "attention_downsample"
      case maskTokens = "mask_tokens"
    }
  }

  enum CodingKeys: String, CodingKey {
    case name, encoder
    case frameSize = "image_size"
    case padMultiple = "pad_multiple"
    case embeddingStride = "embedding_stride"
    case maskStride = "mask_stride"
    case pixelMean = "pixel_mean"
    case pixelStd = "pixel_std"
    case promptEncoder = "prompt_encoder"
    case maskDecoder = "mask_decoder"
  }
}

extension NetworkConfiguration.Encoder: Decodable {
  private enum Kind: String, CodingKey { case stages, dimensions }

  package init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: Kind.self)
    self =
      keys.contains(.stages)
      ? .lite(try NetworkConfiguration.Lite(from: decoder))
      : .tinyViT(try NetworkConfiguration.TinyViT(from: decoder))
  }
}

extension NetworkConfiguration {
  /// The published MobileSAM.
  package static let mobileSAM = NetworkConfiguration(
    name: "mobile-sam", frameSize: 1024, padMultiple: nil, embeddingStride: 16, maskStride: 4,
    pixelMean: [123.675, 116.28, 103.53], pixelStd: [58.395, 57.12, 57.375],
    encoder: .tinyViT(
      TinyViT(
        dimensions: [64, 128, 160, 320], depths: [2, 2, 6, 2], heads: [2, 4, 5, 10],
        windows: [7, 7, 14, 7], mergeStrides: [2, 2, 1], expansion: 4, mlpRatio: 4,
        neckChannels: 256, batchNormEpsilon: 1e-5, layerNormEpsilon: 1e-5)),
    promptEncoder: PromptEncoder(dim: 256, maskChannels: 16, densePrompt: nil),
    maskDecoder: MaskDecoder(
      dim: 256, depth: 2, heads: 8, mlpDim: 2048, attentionDownsample: 2, maskTokens: 4))

  /// Where a picture of that size lies in the frame.
  package func geometry(imageWidth: Int, imageHeight: Int) -> FrameGeometry {
    FrameGeometry(
      imageWidth: imageWidth, imageHeight: imageHeight, frameSize: frameSize,
      padMultiple: padMultiple, maskStride: maskStride)
  }
}
