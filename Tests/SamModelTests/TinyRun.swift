import SamModel
import SamTestSupport
import Testing

/// The tiny MobileSAM at work on its two pictures, and what the reference makes of them.
struct TinyRun: Sendable {
  let golden: GoldenFile
  let network: SegmentationNetwork
  /// Of the tall picture.
  let stages: StageRecorder
  private let embeddings: [String: ImageEmbedding]

  static let shared = Result { try TinyRun() }

  static let pictures = ["tall", "wide"]
  static let prompts = [
    "tall.point", "tall.point_neg", "tall.box", "tall.box_point", "wide.point",
  ]
  static let stageNames = [
    "patch_embed", "layer0_block0", "layer0", "layer1_block0", "layer1_block1", "layer1",
    "layer2_block0", "layer2_block1", "layer2", "layer3_block0", "layer3", "neck",
  ]

  static func picture(_ name: String) -> Picture {
    name == "tall"
      ? drawnPicture(width: 301, height: 451) : drawnPicture(width: 101, height: 67)
  }

  private init() throws {
    golden = try GoldenFile(committed: "tiny_sam_golden.safetensors")
    // Its own: only the first picture of a shape computes its stages past the picture's reach.
    network = try TestNetworks.make("tiny")
    stages = StageRecorder()
    var embeddings: [String: ImageEmbedding] = [:]
    for name in Self.pictures {
      let (frame, geometry) = try network.frame(Self.picture(name))
      embeddings[name] = try network.encode(
        frame: frame, geometry: geometry, name == "tall" ? stages.observer : StageObserver())
    }
    self.embeddings = embeddings
  }

  /// Of the picture that a key begins with.
  func embedding(_ key: String) throws -> ImageEmbedding {
    try #require(embeddings[String(key.prefix { $0 != "." })])
  }

  func decode(_ key: String, _ prompt: Prompt? = nil) throws -> DecodedMasks {
    try network.decode(try embedding(key), prompts: [try prompt ?? golden.prompt(key)])[0]
  }

  /// The answer to the tall picture's click, fed back with it.
  func refine() throws -> DecodedMasks {
    let prompt = try golden.prompt("tall.point")
    return try decode("tall", try refinement(of: prompt, after: decode("tall.point")))
  }

  func deviation(ofStage stage: String) throws -> Deviation {
    let map = try #require(stages[stage], "no stage \(stage)")
    return Deviation(
      map.sampled(every: stage == "neck" ? 1 : 3), try golden.floats("tall.stage.\(stage)"))
  }

  func deviation(ofLogits masks: DecodedMasks, _ key: String) throws -> Deviation {
    Deviation(logits(masks), try golden.floats("\(key).low_res"))
  }
}
