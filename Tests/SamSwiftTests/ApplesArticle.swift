// Code in the shape of Apple's article on isolating an object from a tap, a box or a scribble. It knows
// nothing of this package but `import SamSwift` in the place of `import Vision`.

import Foundation
import SamSwift

/// What an app does to let a person lift an object out of a picture.
struct ObjectIsolator: Sendable {
  let handler: ImageRequestHandler

  init(imageURL: URL) {
    handler = ImageRequestHandler(imageURL)
  }

  init(imageData: Data, orientation: CGImagePropertyOrientation?) {
    handler = ImageRequestHandler(imageData, orientation: orientation)
  }

  func prepare(_ request: GenerateIterativeSegmentationRequest) async throws {
    switch await request.assetStatus {
    case .ready: break
    case .notReady, .downloading: try await request.downloadAssets()
    case .error(let error): throw error
    }
    guard await request.assetStatus == .ready else {
      throw VisionError.dataUnavailable("the model is not there")
    }
  }

  func isolate(tap: CGPoint, in viewSize: CGSize) async throws -> CVReadOnlyPixelBuffer? {
    let point = NormalizedPoint(x: tap.x / viewSize.width, y: 1 - tap.y / viewSize.height)
    let request = GenerateIterativeSegmentationRequest(seedPoint: point)
    try await prepare(request)
    let observation: PixelBufferObservation? = try await handler.perform(request)
    return observation?.pixelBuffer
  }

  func isolate(selection: CGRect, in viewSize: CGSize) async throws -> PixelBufferObservation? {
    let box = NormalizedRect(
      x: selection.minX / viewSize.width, y: 1 - selection.maxY / viewSize.height,
      width: selection.width / viewSize.width, height: selection.height / viewSize.height)
    let request = GenerateIterativeSegmentationRequest(seedBox: box, .revision1)
    request.qualityLevel = .accurate
    return try await handler.perform(request)
  }

  func isolate(strokes: sending CVPixelBuffer) async throws -> PixelBufferObservation? {
    let request = GenerateIterativeSegmentationRequest(
      seedScribbleBuffer: CVReadOnlyPixelBuffer(unsafeBuffer: strokes))
    request.qualityLevel = .fast
    return try await handler.perform(request)
  }

  func refine(
    _ request: GenerateIterativeSegmentationRequest, include: [NormalizedPoint],
    exclude: [NormalizedPoint]
  ) async throws -> PixelBufferObservation? {
    for point in include { try request.addIncludedPoint(point) }
    for point in exclude { try request.addExcludedPoint(point) }
    do {
      return try await handler.perform(request)
    } catch VisionError.requestCancelled {
      return nil
    }
  }

  func isolateBoth(
    _ first: GenerateIterativeSegmentationRequest, _ second: GenerateIterativeSegmentationRequest
  ) async throws -> (PixelBufferObservation?, PixelBufferObservation?) {
    try await handler.perform(first, second)
  }

  func isolateAll(_ requests: [any VisionRequest]) async -> Int {
    var masks = 0
    for await result in handler.performAll(requests) {
      switch result {
      case .generateIterativeSegmentation(_, let observation): masks += observation == nil ? 0 : 1
      case .error(let request, let error): print("\(request): \(error)")
      }
    }
    return masks
  }

  func centreIsInside(_ observation: PixelBufferObservation) -> Bool {
    observation.pixel(at: NormalizedPoint(x: 0.5, y: 0.5)) >= 0.5
  }

  func insidePixelCount(_ observation: PixelBufferObservation) -> Int {
    let count = Int(observation.size.width * observation.size.height)
    return observation.withUnsafePointer { pointer in
      UnsafeRawBufferPointer(start: pointer, count: count).count { $0 >= 128 }
    }
  }

  func downloadModel(for request: GenerateIterativeSegmentationRequest) async throws -> Double {
    let progress = Progress(totalUnitCount: 100)
    try await request.downloadAssets(progress: progress)
    return progress.fractionCompleted
  }
}
