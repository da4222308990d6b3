import Dispatch
import SamModel
import SamTestSupport
import Synchronization
import Testing

/// Results are the same bits however the work is cut up.
struct DeterminismTests {
  // `.automatic` is bfloat16 where the CPU has it.
  @Test(arguments: ["tiny", "lite"], [NetworkOptions.Precision.float32, .automatic])
  func threadsDoNotChangeABit(model: String, precision: NetworkOptions.Precision) throws {
    let picture = try photo("chelsea.png")
    let one = try Self.answers(
      TestNetworks.make(model, NetworkOptions(precision: precision, threads: 1)), picture)
    for threads in [2, 3] {
      let network = try TestNetworks.make(
        model, NetworkOptions(precision: precision, threads: threads))
      #expect(network.context.threads == threads)
      #expect(try Self.answers(network, picture) == one)
      // Once more: its memory is now warm.
      #expect(try Self.answers(network, picture) == one)
    }
  }

  @Test(arguments: ["tiny", "lite"])
  func aBatchGivesTheBitsOfOneAtATime(model: String) throws {
    let network = try model == "lite" ? TestNetworks.lite() : TestNetworks.tiny()
    let embedding = try network.encode(try photo("chelsea.png"))
    let first = try network.decode(embedding, prompts: [Self.prompts[0]])[0]
    var prompts = Self.prompts
    prompts.append(try refinement(of: prompts[0], after: first))
    // More than are decoded together.
    prompts += (0..<40).map { Self.click(Float(10 * $0), 150) }
    let batch = try network.decode(embedding, prompts: prompts)
    try #require(batch.count == prompts.count)
    for (masks, prompt) in zip(batch, prompts) {
      let alone = try network.decode(embedding, prompts: [prompt])[0]
      #expect(masks.grids == alone.grids)
      #expect(masks.scores == alone.scores)
    }
    #expect(try network.decode(embedding, prompts: []).isEmpty)
  }

  @Test func callsAtTheSameTimeDoNotDisturbEachOther() throws {
    let network = try TestNetworks.tiny()
    let pictures = try [photo("chelsea.png"), photo("coffee.png"), TinyRun.picture("tall")]
    let serial = try pictures.map { try Self.answers(network, $0) }
    let seen = Mutex<[Int: [[Float]]]>([:])
    DispatchQueue.concurrentPerform(iterations: 12) { i in
      let result = try? Self.answers(network, pictures[i % pictures.count])
      seen.withLock { $0[i] = result }
    }
    for i in 0..<12 { #expect(seen.withLock { $0[i] } == serial[i % pictures.count]) }
  }

  /// Rows and columns that a picture cannot reach come from the first picture of its shape.
  @Test(arguments: [
    1, 2, 3, 4, 5, 9, 13, 16, 26, 27, 28, 29, 31, 41, 55, 56, 57, 60, 83, 84, 85, 100, 111, 112,
    113, 128, 139, 140, 141, 170, 171, 196, 200, 211, 224, 225, 239, 240, 251, 252, 255, 256,
  ])
  func aLaterPictureOfAShapeGivesTheBitsOfAFirstOne(side: Int) throws {
    for (width, height) in [(256, side), (side, 256)] {
      let count = width * height * 3
      let noise = Picture(
        width: width, height: height, channels: 3,
        pixels: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
      let drawn = drawnPicture(width: width, height: height)
      let network = try TestNetworks.make("tiny")
      let first = try network.encode(drawn).map.sampled(every: 1)
      let later = try network.encode(noise).map.sampled(every: 1)
      let noiseFirst = try TestNetworks.make("tiny").encode(noise).map.sampled(every: 1)
      // CBLAS does not promise a row's bits to be the same among more rows or fewer.
      let tolerance: Float = network.context.kernels.matrix.name == "blas" ? 1e-5 : 0
      let deviations = [
        Deviation(later, noiseFirst),
        Deviation(try network.encode(drawn).map.sampled(every: 1), first),
      ]
      for deviation in deviations { #expect(deviation.relative <= tolerance, "\(deviation)") }
    }
  }

  private static let prompts = [
    click(120, 80),
    Prompt(box: Prompt.Box(x0: 20, y0: 30, x1: 200, y1: 180)),
    Prompt(
      points: [
        Prompt.Point(x: 150, y: 90, isIncluded: true),
        Prompt.Point(x: 3, y: 3.5, isIncluded: false),
      ], box: Prompt.Box(x0: 20, y0: 30, x1: 200, y1: 180)),
  ]

  private static func click(_ x: Float, _ y: Float) -> Prompt {
    Prompt(points: [Prompt.Point(x: x, y: y, isIncluded: true)])
  }

  /// The embedding, then the logits and scores of each prompt.
  private static func answers(
    _ network: SegmentationNetwork, _ picture: Picture
  ) throws -> [[Float]] {
    let embedding = try network.encode(picture)
    let masks = try network.decode(embedding, prompts: prompts)
    return [embedding.map.sampled(every: 1)] + masks.map { logits($0) + $0.scores }
  }
}
