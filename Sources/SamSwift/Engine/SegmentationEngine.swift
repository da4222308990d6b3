import SamImageIO
import SamModel

/// One network with the rules of asking it: what both API levels stand on.
final class SegmentationEngine: Sendable {
  let network: SegmentationNetwork
  let configuration: SamConfiguration

  /// Opens the network of a model.
  init(
    model: SegmentationModel, configuration: SamConfiguration
  ) throws(SamSwiftError) {
    network = try NetworkStore.shared.network(for: model, configuration: configuration)
    self.configuration = configuration
  }

  /// Whether the model refines better with one more click at a time: one that sees the previous mask
  /// and the clicks in a dense map does.
  var isOneByOne: Bool { network.configuration.promptEncoder.densePrompt != nil }

  /// Runs the encoder.
  func encode(
    _ picture: PixelImage, decodeImage: Duration = .zero,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(SamSwiftError) -> EncodedPicture {
    let clock = ContinuousClock()
    let start = clock.now
    let embedding: ImageEmbedding
    do {
      embedding = try network.encode(
        Picture(
          width: picture.width, height: picture.height, channels: picture.channels,
          pixels: picture.pixels),
        isCancelled: isCancelled)
    } catch { throw SamSwiftError(error) }
    return EncodedPicture(
      picture: picture, embedding: embedding, threads: configuration.threads,
      timings: SamTimings(decodeImage: decodeImage, encodeImage: clock.now - start))
  }

  /// Advances plans until each has its answer; every round is one batch through the decoder.
  func run(
    _ plans: inout [any DecodingPlan], on picture: EncodedPicture,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(SamSwiftError) {
    while true {
      let rounds = plans.map { $0.nextPrompts() }
      let batch = rounds.flatMap { $0 }
      guard !batch.isEmpty else { return }
      var decoded: ArraySlice<DecodedMasks>
      do {
        decoded = try network.decode(
          picture.embedding, prompts: batch, isCancelled: isCancelled)[...]
      } catch { throw SamSwiftError(error) }
      for index in plans.indices where !rounds[index].isEmpty {
        plans[index].receive(Array(decoded.prefix(rounds[index].count)))
        decoded = decoded.dropFirst(rounds[index].count)
      }
    }
  }

  /// Answers prompts, each on its own, in one batch.
  func predict(
    _ prompts: [SamPrompt], options: SamPredictOptions, on picture: EncodedPicture,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(SamSwiftError) -> [SamResult] {
    let clock = ContinuousClock()
    let start = clock.now
    var plans: [any DecodingPlan] = []
    for prompt in prompts {
      plans.append(try plan(for: prompt, geometry: picture.geometry))
    }
    try run(&plans, on: picture, isCancelled: isCancelled)
    var timings = picture.timings
    timings.decodePrompt = clock.now - start
    var results: [SamResult] = []
    for plan in plans {
      if isCancelled() { throw .cancelled }
      guard let answer = plan.answer else { continue }
      let renderStart = clock.now
      let wanted =
        options.multimask && !answer.candidates.isEmpty ? answer.candidates : [answer.chosen]
      let masks = wanted.map { picture.renderer.render($0, quality: options.quality) }
      timings.renderMask = clock.now - renderStart
      results.append(
        SamResult(
          masks: masks,
          candidates: answer.candidates.map {
            SamCandidate(score: $0.score, logits: SamLogits($0.grid))
          },
          timings: timings))
    }
    return results
  }

  /// Checks a prompt and plans its decodes.
  private func plan(
    for prompt: SamPrompt, geometry: FrameGeometry
  ) throws(SamSwiftError) -> any DecodingPlan {
    // Asked here: a model that takes clicks one by one would decode all of the others first.
    guard prompt.points.count <= Prompt.maximumPoints else {
      throw .invalidPrompt(
        reason: "wanted at most \(Prompt.maximumPoints) points, got \(prompt.points.count)")
    }
    let points = try prompt.points.map { point throws(SamSwiftError) in
      try point.checked(in: geometry)
    }
    let box = try prompt.box.map { box throws(SamSwiftError) in try box.checked(in: geometry) }
    guard let scribble = prompt.scribble else {
      guard box != nil || !points.isEmpty else {
        throw .invalidPrompt(reason: "it has no point, box or scribble")
      }
      return ClickPlan(
        points: points, box: box, previous: try prompt.maskInput?.checked(in: geometry),
        isOneByOne: isOneByOne)
    }
    guard box == nil && prompt.maskInput == nil else {
      throw .invalidPrompt(reason: "a scribble goes with points, not with a box or a mask input")
    }
    let cells = ScribbleCells(scribble, geometry: geometry)
    guard !cells.strokes.isEmpty else {
      throw .invalidPrompt(reason: "the scribble has no white stroke")
    }
    var plan = ScribblePlan(strokes: cells.strokes, geometry: geometry)
    // The strokes find their objects first; the clicks then correct them.
    plan.pendingClicks = points
    return plan
  }
}

extension ScribbleCells {
  /// The strokes on the cells that show the picture.
  init(
    _ scribble: PixelImage, geometry: FrameGeometry, isAllowed: (Cell) -> Bool = { _ in true }
  ) {
    let stride = geometry.maskStride
    self.init(
      scribble, width: (geometry.resizedWidth + stride - 1) / stride,
      height: (geometry.resizedHeight + stride - 1) / stride, isAllowed: isAllowed)
  }
}
