import Foundation
import SamCheckpoint

extension NetworkConfiguration {
  /// The metadata key of the JSON.
  package static let metadataKey = "samswift.config"

  /// Reads the configuration that a checkpoint carries, or recognises MobileSAM by its keys.
  init(of checkpoint: any Checkpoint) throws(ModelError) {
    guard let json = checkpoint.metadata[Self.metadataKey] else {
      let marks = [
        "image_encoder.patch_embed.seq.0.c.weight", "prompt_encoder.no_mask_embed.weight",
        "mask_decoder.iou_token.weight",
      ]
      guard marks.allSatisfy({ checkpoint[$0] != nil }) else {
        throw .badConfiguration(
          reason: "holds neither a \(Self.metadataKey) entry nor MobileSAM's tensors",
          checkpoint: checkpoint.name)
      }
      self = .mobileSAM
      return
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    } catch {
      throw .badConfiguration(
        reason: "\(Self.metadataKey): \(Self.words(for: error))", checkpoint: checkpoint.name)
    }
    if let fault = self.fault {
      throw .badConfiguration(
        reason: "\(Self.metadataKey): \(fault)", checkpoint: checkpoint.name)
    }
  }

  /// Which entry of the JSON is missing or of another type.
  private static func words(for error: any Error) -> String {
    func name(_ path: [any CodingKey]) -> String {
      path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        .trimmingPrefix(".").description
    }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      return "\(name(context.codingPath + [key])) is missing"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      let path = name(context.codingPath)
      return "\(path.isEmpty ? "the whole" : path) is not of type \(type)"
    case .dataCorrupted(let context):
      let path = name(context.codingPath)
      return path.isEmpty ? "not JSON" : "\(path): \(context.debugDescription)"
    default:
      return "\(error)"
    }
  }

  /// What is out of range, or nil.
  ///
  /// A hostile file must not make the network allocate or index without bounds.
  private var fault: String? {
    func check(_ what: String, _ value: Int, _ range: ClosedRange<Int>, multipleOf step: Int = 1)
      -> String?
    {
      guard !range.contains(value) || value % step != 0 else { return nil }
      let wanted =
        range.count == 1
        ? "\(range.lowerBound)"
        : (step == 1 ? "" : "a multiple of \(step) from ")
          + "\(range.lowerBound) to \(range.upperBound)"
      return "\(what) is \(value), wanted \(wanted)"
    }
    var checks = [
      check("image_size", frameSize, 64...2048, multipleOf: 64),
      check("pad_multiple", padMultiple ?? 32, 32...512, multipleOf: 32),
      check("embedding_stride", embeddingStride, 16...16),
      check("mask_stride", maskStride, 4...4),
      check("number of pixel means", pixelMean.count, 3...3),
      check("number of pixel deviations", pixelStd.count, 3...3),
      check("prompt_encoder.dim", promptEncoder.dim, 64...1024, multipleOf: 64),
      check("prompt_encoder.mask_channels", promptEncoder.maskChannels, 4...256, multipleOf: 4),
      check("mask_decoder.dim", maskDecoder.dim, promptEncoder.dim...promptEncoder.dim),
      check("mask_decoder.depth", maskDecoder.depth, 1...8),
      check("mask_decoder.heads", maskDecoder.heads, 8...8),
      check("mask_decoder.mlp_dim", maskDecoder.mlpDim, 16...8192, multipleOf: 16),
      check("mask_decoder.attention_downsample", maskDecoder.attentionDownsample, 1...2),
      check("mask_decoder.mask_tokens", maskDecoder.maskTokens, 4...4),
    ]
    if let padMultiple, padMultiple > 0, frameSize % padMultiple != 0 {
      // A padded frame longer than the frame itself would have no scale that prompts and positions agree on.
      checks.append("pad_multiple is \(padMultiple), wanted a divisor of image_size, \(frameSize)")
    }
    if !(pixelStd.allSatisfy { $0.isFinite && $0 > 0 } && pixelMean.allSatisfy(\.isFinite)) {
      checks.append("pixel means and deviations must be finite, deviations above 0")
    }
    if let dense = promptEncoder.densePrompt, !(dense.gaussianDenominator > 0) {
      checks.append("gaussian_denominator is \(dense.gaussianDenominator), wanted above 0")
    }
    switch encoder {
    case .tinyViT(let vit): checks += vit.faults(dim: maskDecoder.dim, check)
    case .lite(let lite): checks += lite.faults(dim: maskDecoder.dim, check)
    }
    return checks.compactMap { $0 }.first ?? memoryFault
  }
}

private typealias RangeCheck = (String, Int, ClosedRange<Int>, Int) -> String?

extension NetworkConfiguration.TinyViT {
  fileprivate func faults(dim: Int, _ check: RangeCheck) -> [String?] {
    let counts = [dimensions.count, depths.count, heads.count, windows.count]
    var checks = counts.map { check("number of stages", $0, 4...4, 1) }
    checks.append(check("number of merge strides", mergeStrides.count, 3...3, 1))
    guard checks.allSatisfy({ $0 == nil }) else { return checks }
    for i in 0..<4 {
      checks.append(check("dimensions[\(i)]", dimensions[i], 16...2048, 16))
      checks.append(check("depths[\(i)]", depths[i], 1...32, 1))
      checks.append(check("heads[\(i)]", heads[i], 1...64, 1))
      checks.append(check("windows[\(i)]", windows[i], 1...64, 1))
      if heads[i] > 0, dimensions[i] % heads[i] != 0 {
        checks.append("heads[\(i)] does not divide dimensions[\(i)]")
      }
    }
    for (i, wanted) in [2, 2, 1].enumerated() {
      checks.append(check("merge_strides[\(i)]", mergeStrides[i], wanted...wanted, 1))
    }
    checks.append(check("expansion", expansion, 1...8, 1))
    checks.append(check("mlp_ratio", mlpRatio, 1...8, 1))
    checks.append(check("neck_channels", neckChannels, dim...dim, 1))
    return checks
  }
}

extension NetworkConfiguration.Lite {
  fileprivate func faults(dim: Int, _ check: RangeCheck) -> [String?] {
    var checks = [
      check("stem_channels", stemChannels, 8...256, 8),
      check("number of stages", stages.count, 7...7, 1),
      check("number of high_res_stages", highResStages.count, 2...2, 1),
      check("attention.dim", attention.dim, 16...1024, 16),
      check("attention.blocks", attention.blocks, 1...16, 1),
      check("attention.heads", attention.heads, 1...64, 1),
      check("attention.window", attention.window, 16...64, 1),
      check("attention.mlp_ratio", attention.mlpRatio, 1...8, 1),
      check("neck_channels", neckChannels, dim...dim, 1),
    ]
    guard checks.allSatisfy({ $0 == nil }) else { return checks }
    if attention.dim % attention.heads != 0 {
      checks.append("attention.heads does not divide attention.dim")
    }
    // Strides to the stride-4, stride-8, stride-16 and stride-32 features, as the decoder wants them.
    checks.append(check("high_res_stages[0]", highResStages[0], 1...1, 1))
    checks.append(check("high_res_stages[1]", highResStages[1], 2...2, 1))
    checks.append(check("lateral_stage", lateralStage, 4...4, 1))
    for (i, stride) in [1, 2, 2, 2, 1, 2, 1].enumerated() {
      let stage = stages[i]
      checks.append(check("stages[\(i)].stride", stage.stride, stride...stride, 1))
      checks.append(check("stages[\(i)].blocks", stage.blocks, 1...16, 1))
      checks.append(check("stages[\(i)].channels", stage.channels, 8...1024, 8))
      checks.append(check("stages[\(i)].kernel", stage.kernel, 3...5, 1))
      checks.append(stage.kernel == 4 ? "stages[\(i)].kernel is 4, wanted 3 or 5" : nil)
      checks.append(check("stages[\(i)].expansion", stage.expansion, 1...8, 1))
    }
    return checks
  }
}
