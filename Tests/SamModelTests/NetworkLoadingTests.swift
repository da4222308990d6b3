import SamCheckpoint
import SamModel
import Testing

/// What comes of weights that are not those of a network.
struct NetworkLoadingTests {
  /// Every eleventh tensor of the two networks that are committed.
  static let keys: [(model: String, key: String)] = ["tiny", "lite"].flatMap { model in
    let all = (try? checkpoint(model).tensors.map(\.name)) ?? []
    return all.filter { !isIgnored($0) }.enumerated().filter { $0.offset % 11 == 0 }
      .map { (model, $0.element) }
  }

  @Test func theKeysAreThere() {
    #expect(Self.keys.count > 40)
  }

  @Test(arguments: keys)
  func aMissingTensorIsNamed(model: String, key: String) throws {
    var spoiled = try MemoryCheckpoint(Self.checkpoint(model))
    spoiled[key] = nil
    #expect(throws: ModelError.missingTensor(key: key, checkpoint: spoiled.name)) {
      try SegmentationNetwork(checkpoint: spoiled)
    }
  }

  @Test(arguments: keys)
  func aTensorOfAnotherShapeIsNamed(model: String, key: String) throws {
    var spoiled = try MemoryCheckpoint(Self.checkpoint(model))
    let shape = try #require(spoiled[key]).shape
    // As many values, one axis more; and one value more.
    for actual in [shape + [1], [shape[0] + 1] + shape.dropFirst()] {
      spoiled.reshape(key, actual)
      let error = ModelError.wrongShape(
        key: key, expected: shape, actual: actual, checkpoint: spoiled.name)
      #expect(throws: error) { try SegmentationNetwork(checkpoint: spoiled) }
    }
  }

  @Test(arguments: keys)
  func aTensorOfIntegersIsNamed(model: String, key: String) throws {
    var spoiled = try MemoryCheckpoint(Self.checkpoint(model))
    try spoiled.makeIntegers(key)
    let error = ModelError.wrongType(
      key: key, expected: [.float32, .float16, .bfloat16], actual: .int64, checkpoint: spoiled.name)
    #expect(throws: error) { try SegmentationNetwork(checkpoint: spoiled) }
  }

  @Test(arguments: ["tiny", "lite"])
  func tensorsThatNoLayerWantsAreNamed(model: String) throws {
    var spoiled = try MemoryCheckpoint(Self.checkpoint(model))
    let extra = ["image_encoder.layers.0.blocks.1.conv1.c.bias", "optimizer.step"]
    for key in extra { spoiled.reshape(key, [3]) }
    #expect(throws: ModelError.unknownTensors(keys: extra, checkpoint: spoiled.name)) {
      try SegmentationNetwork(checkpoint: spoiled)
    }
  }

  @Test func theClassifierAndTheCountsOfBatchesAreIgnored() throws {
    var changed = try MemoryCheckpoint(TestNetworks.tinyCheckpoint())
    #expect(changed["image_encoder.norm_head.weight"] != nil)
    let counter = "image_encoder.patch_embed.seq.0.bn.num_batches_tracked"
    #expect(changed[counter]?.type == .int64)
    _ = try SegmentationNetwork(checkpoint: changed)
    changed.reshape("image_encoder.head.weight", [7, 64])
    changed["image_encoder.norm_head.weight"] = nil
    changed[counter] = nil
    _ = try SegmentationNetwork(checkpoint: changed)
  }

  @Test func aFileOfSomethingElseIsRefused() throws {
    var other = try MemoryCheckpoint(TestNetworks.tinyCheckpoint())
    other.metadata = ["format": "pt"]
    // Without a configuration it has to be MobileSAM, whose first convolution has more channels.
    let error = ModelError.wrongShape(
      key: "image_encoder.patch_embed.seq.0.bn.weight", expected: [32], actual: [8],
      checkpoint: other.name)
    #expect(throws: error) { try SegmentationNetwork(checkpoint: other) }
    other["mask_decoder.iou_token.weight"] = nil
    let reason = "holds neither a samswift.config entry nor MobileSAM's tensors"
    #expect(throws: ModelError.badConfiguration(reason: reason, checkpoint: other.name)) {
      try SegmentationNetwork(checkpoint: other)
    }
  }

  // MARK: Configurations

  @Test(arguments: ConfigurationFault.all)
  func anEntryOutOfRangeIsNamed(_ fault: ConfigurationFault) throws {
    var spoiled = try MemoryCheckpoint(Self.checkpoint(fault.model))
    try spoiled.configure(fault.path, fault.value)
    let reason = "samswift.config: \(fault.reason)"
    #expect(throws: ModelError.badConfiguration(reason: reason, checkpoint: spoiled.name)) {
      try SegmentationNetwork(checkpoint: spoiled)
    }
  }

  /// Each side is in range; together they would take gigabytes.
  @Test func whatWouldTakeGigabytesIsRefused() throws {
    let cases: [(model: String, changes: [(String, any Sendable)], reason: String)] = [
      (
        "tiny", [("image_size", 2048), ("encoder.dimensions", [512, 32, 48, 64])],
        "a map of stage 0 takes 134217728 floats, wanted 67108864 or less"
      ),
      (
        "tiny",
        [
          ("image_size", 1024), ("encoder.dimensions", [512, 32, 48, 64]), ("encoder.expansion", 8),
        ], "a widened map of stage 0 takes 268435456 floats, wanted 134217728 or less"
      ),
      (
        "tiny", [("image_size", 2048), ("encoder.dimensions", [32, 1024, 48, 64])],
        "a widened map of stage 1 takes 268435456 floats, wanted 134217728 or less"
      ),
      (
        "lite",
        [
          ("image_size", 1024), ("encoder.attention.window", 32), ("encoder.stem_channels", 256),
          ("encoder.stages.0.expansion", 8),
        ], "a widened map of stages[0] takes 536870912 floats, wanted 134217728 or less"
      ),
      (
        "tiny", [("encoder.windows.1", 64), ("encoder.heads.1", 32)],
        "windows[1]'s attention takes 536870912 floats, wanted 67108864 or less"
      ),
      (
        "lite", [("image_size", 2048), ("encoder.attention.window", 64)],
        "attention takes 100663296 floats, wanted 67108864 or less"
      ),
      (
        "lite",
        [
          ("image_size", 1024), ("encoder.attention.window", 32),
          ("encoder.stages.0.channels", 1024),
        ], "a map of stages[0] takes 268435456 floats, wanted 67108864 or less"
      ),
    ]
    for (model, changes, reason) in cases {
      var spoiled = try MemoryCheckpoint(Self.checkpoint(model))
      for (path, value) in changes { try spoiled.configure(path, value) }
      let error = ModelError.badConfiguration(
        reason: "samswift.config: \(reason)", checkpoint: spoiled.name)
      #expect(throws: error) { try SegmentationNetwork(checkpoint: spoiled) }
    }
  }

  @Test(arguments: ["", "{", "[1]", "null", "\u{0}"])
  func textThatIsNoConfigurationIsRefused(text: String) throws {
    var spoiled = try MemoryCheckpoint(TestNetworks.tinyCheckpoint())
    spoiled.metadata["samswift.config"] = text
    #expect {
      try SegmentationNetwork(checkpoint: spoiled)
    } throws: { error in
      guard case .badConfiguration(let reason, _) = error as? ModelError else { return false }
      return reason.hasPrefix("samswift.config: ")
    }
  }

  private static func checkpoint(_ model: String) throws -> any Checkpoint {
    model == "lite" ? try TestNetworks.liteCheckpoint() : try TestNetworks.tinyCheckpoint()
  }

  private static func isIgnored(_ key: String) -> Bool {
    key.hasSuffix(".num_batches_tracked") || key.hasPrefix("image_encoder.norm_head.")
  }
}

/// One entry of a configuration made wrong, and what is said of it.
struct ConfigurationFault: Sendable, CustomTestStringConvertible {
  let model: String
  let path: String
  let value: (any Sendable)?
  let reason: String

  var testDescription: String { "\(model) \(path) \(value.map { "\($0)" } ?? "missing")" }

  private init(_ model: String, _ path: String, _ value: (any Sendable)?, _ reason: String) {
    (self.model, self.path, self.value, self.reason) = (model, path, value, reason)
  }

  static let all = [
    ConfigurationFault(
      "tiny", "image_size", 100, "image_size is 100, wanted a multiple of 64 from 64 to 2048"),
    ConfigurationFault(
      "tiny", "image_size", -64, "image_size is -64, wanted a multiple of 64 from 64 to 2048"),
    ConfigurationFault("tiny", "image_size", nil, "image_size is missing"),
    ConfigurationFault("tiny", "image_size", "256", "image_size is not of type Int"),
    ConfigurationFault("tiny", "pixel_mean", [1.0], "number of pixel means is 1, wanted 3"),
    ConfigurationFault(
      "tiny", "pixel_std", [1.0, 0.0, 1.0],
      "pixel means and deviations must be finite, deviations above 0"),
    ConfigurationFault(
      "tiny", "encoder.depths", [2, 2], "number of stages is 2, wanted 4"),
    ConfigurationFault("tiny", "encoder.depths.2", 0, "depths[2] is 0, wanted 1 to 32"),
    ConfigurationFault("tiny", "encoder.heads.1", 0, "heads[1] is 0, wanted 1 to 64"),
    ConfigurationFault("tiny", "encoder.heads.1", 5, "heads[1] does not divide dimensions[1]"),
    ConfigurationFault(
      "tiny", "encoder.merge_strides.2", 2, "merge_strides[2] is 2, wanted 1"),
    ConfigurationFault(
      "tiny", "encoder.dimensions.3", 1 << 40,
      "dimensions[3] is 1099511627776, wanted a multiple of 16 from 16 to 2048"),
    ConfigurationFault(
      "tiny", "encoder.neck_channels", 32, "neck_channels is 32, wanted 64"),
    ConfigurationFault(
      "tiny", "encoder.batch_norm_eps", "small", "encoder.batch_norm_eps is not of type Float"),
    ConfigurationFault(
      "tiny", "mask_decoder.heads", 4, "mask_decoder.heads is 4, wanted 8"),
    ConfigurationFault("tiny", "mask_decoder.depth", nil, "mask_decoder.depth is missing"),
    ConfigurationFault(
      "tiny", "prompt_encoder.dim", 96,
      "prompt_encoder.dim is 96, wanted a multiple of 64 from 64 to 1024"),
    ConfigurationFault(
      "lite", "pad_multiple", 48, "pad_multiple is 48, wanted a multiple of 32 from 32 to 512"),
    ConfigurationFault(
      "lite", "encoder.stages.3.stride", 1, "stages[3].stride is 1, wanted 2"),
    ConfigurationFault(
      "lite", "encoder.stages.2.kernel", 4, "stages[2].kernel is 4, wanted 3 or 5"),
    ConfigurationFault("lite", "encoder.stages.6", nil, "number of stages is 6, wanted 7"),
    ConfigurationFault(
      "lite", "encoder.stages.4.blocks", nil, "encoder.stages[4].blocks is missing"),
    ConfigurationFault(
      "lite", "encoder.attention.heads", 7, "attention.heads does not divide attention.dim"),
    ConfigurationFault(
      "lite", "encoder.lateral_stage", 5, "lateral_stage is 5, wanted 4"),
    ConfigurationFault(
      "lite", "pad_multiple", 96, "pad_multiple is 96, wanted a divisor of image_size, 512"),
    // The grid of 32 × 32 would reach past the biases of 16 × 16.
    ConfigurationFault(
      "lite", "image_size", 1024,
      "attention.window is 16, wanted 32 or more for a frame of 1024"),
    ConfigurationFault(
      "lite", "prompt_encoder.dense_prompt.gaussian_denominator", 0,
      "gaussian_denominator is 0.0, wanted above 0"),
  ]
}
