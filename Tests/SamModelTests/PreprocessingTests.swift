import Foundation
import SamCheckpoint
import SamImageIO
import SamModel
import SamTestSupport
import Testing

/// The frame that the encoder sees, against the frames that the networks' own preprocessing made.
struct PreprocessingTests {
  private static let mobileSAM = ImagePreprocessor(
    mean: mean, standardDeviation: standardDeviation, resizing: .pillowBilinear)
  private static let lite = ImagePreprocessor(
    mean: mean, standardDeviation: standardDeviation, resizing: .openCVArea)
  private static let mean: [Float] = [123.675, 116.28, 103.53]
  private static let standardDeviation: [Float] = [58.395, 57.12, 57.375]

  @Test(arguments: ["coffee.png", "astronaut.png", "chelsea.png", "rocket.jpg"])
  func liteFrameEqualsTheReference(photo: String) throws {
    let goldens = Bundle.module.bundleURL
      .appendingPathComponent("Goldens/samswift_lite_golden.safetensors")
    let expected = try Sample(of: photo, stride: 4, in: goldens)
    let picture = try Self.read(photo)
    let geometry = FrameGeometry(
      imageWidth: picture.width, imageHeight: picture.height, frameSize: 512, padMultiple: 32,
      maskStride: 4)
    let frame = try Self.frame(of: picture, geometry, Self.lite)
    expected.compare(frame, width: geometry.paddedWidth, height: geometry.paddedHeight)
  }

  @Test(
    .enabled(
      if: ReferenceFolder.url("mobile_sam_golden.safetensors") != nil,
      "mobile_sam_golden.safetensors is absent: set SAMSWIFT_REFERENCE"),
    arguments: ["coffee.png", "astronaut.png", "chelsea.png", "rocket.jpg"])
  func mobileSAMFrameEqualsTheReference(photo: String) throws {
    let goldens = try #require(ReferenceFolder.url("mobile_sam_golden.safetensors"))
    let expected = try Sample(of: photo, stride: 8, in: goldens)
    let picture = try Self.read(photo)
    let geometry = FrameGeometry(
      imageWidth: picture.width, imageHeight: picture.height, frameSize: 1024, padMultiple: nil,
      maskStride: 4)
    let frame = try Self.frame(of: picture, geometry, Self.mobileSAM)
    expected.compare(frame, width: geometry.paddedWidth, height: geometry.paddedHeight)
  }

  @Test func paddingIsZeroAfterNormalisationAndGapsBetweenRowsAreKept() throws {
    let picture = Picture(
      width: 30, height: 20, channels: 1, pixels: [UInt8](repeating: 0, count: 600))
    let geometry = FrameGeometry(
      imageWidth: 30, imageHeight: 20, frameSize: 60, padMultiple: 32, maskStride: 4)
    let rowStride = 64 * 3 + 5
    var frame = [Float](repeating: .infinity, count: 64 * rowStride)
    try frame.withUnsafeMutableBufferPointer { buffer in
      try Self.lite.writeFrame(
        of: picture, geometry: geometry, into: buffer, rowStride: rowStride,
        parallelFor: concurrently)
    }
    for y in 0..<64 {
      for x in 0..<rowStride {
        let channel = x % 3
        let black = -Self.mean[channel] / Self.standardDeviation[channel]
        let expected = x >= 192 ? .infinity : x < 180 && y < 40 ? black : 0
        try #require(frame[y * rowStride + x] == expected, "row \(y), float \(x)")
      }
    }
  }

  @Test(arguments: [1, 3, 4], [(512, 1), (1, 512), (512, 7), (11, 512), (13, 512), (512, 512)])
  func aPictureOfTheFramesSizeIsOnlyNormalised(
    channels: Int, size: (width: Int, height: Int)
  ) throws {
    let picture = noise(width: size.width, height: size.height, channels: channels)
    let geometry = FrameGeometry(
      imageWidth: size.width, imageHeight: size.height, frameSize: 512, padMultiple: 32,
      maskStride: 4)
    for preprocessor in [Self.lite, Self.mobileSAM] {
      let frame = try Self.frame(of: picture, geometry, preprocessor)
      for y in 0..<size.height {
        for x in 0..<size.width * 3 {
          let channel = x % 3
          let pixel = (y * size.width + x / 3) * channels + (channels == 1 ? 0 : channel)
          let expected =
            (Float(picture.pixels[pixel]) - Self.mean[channel]) / Self.standardDeviation[channel]
          let actual = frame[y * geometry.paddedWidth * 3 + x]
          try #require(actual.bitPattern == expected.bitPattern, "row \(y), float \(x)")
        }
      }
    }
  }

  @Test(arguments: [(1, 1), (1, 5000), (5000, 1), (700, 2100), (2100, 700), (900, 1100)])
  func doesNotDependOnTheOrderOfIterations(width: Int, height: Int) throws {
    let picture = noise(width: width, height: height, channels: 3)
    for (preprocessor, size, multiple) in [(Self.mobileSAM, 1024, nil), (Self.lite, 512, 32)] {
      let geometry = FrameGeometry(
        imageWidth: width, imageHeight: height, frameSize: size, padMultiple: multiple,
        maskStride: 4)
      let backwards = try Self.frame(of: picture, geometry, preprocessor) { count, body in
        for index in (0..<count).reversed() { body(index) }
      }
      let atOnce = try Self.frame(of: picture, geometry, preprocessor)
      #expect(backwards == atOnce)
    }
  }

  @Test(arguments: [
    (Picture(width: 0, height: 5, channels: 3, pixels: []), "no pixels"),
    (Picture(width: 5, height: -5, channels: 3, pixels: []), "no pixels"),
    (
      Picture(width: 5, height: 5, channels: 2, pixels: [UInt8](repeating: 0, count: 50)),
      "channels"
    ),
    (Picture(width: 5, height: 5, channels: 3, pixels: [1, 2, 3]), "3 bytes came"),
    (Picture(width: 1 << 62, height: 1 << 62, channels: 3, pixels: [1]), "1 bytes came"),
    (Picture(width: 6, height: 5, channels: 1, pixels: [UInt8](repeating: 0, count: 30)), "6 × 5"),
  ])
  func refusesPicturesThatDoNotAddUp(picture: Picture, words: String) {
    let geometry = FrameGeometry(
      imageWidth: 5, imageHeight: 5, frameSize: 32, padMultiple: 32, maskStride: 4)
    #expect {
      try Self.frame(of: picture, geometry, Self.lite)
    } throws: { error in
      guard case .badPicture(let reason) = error as? ModelError else { return false }
      return reason.contains(words)
    }
  }

  private static func read(_ photo: String) throws -> Picture {
    let image = try ImageDecoder().decode(contentsOf: TestPhotos.url(photo))
    return Picture(
      width: image.width, height: image.height, channels: image.channels, pixels: image.pixels)
  }

  private static func frame(
    of picture: Picture, _ geometry: FrameGeometry, _ preprocessor: ImagePreprocessor,
    parallelFor: ParallelLoop = concurrently
  ) throws -> [Float] {
    let rowStride = geometry.paddedWidth * 3
    var frame = [Float](repeating: .nan, count: geometry.paddedHeight * rowStride)
    try frame.withUnsafeMutableBufferPointer { buffer in
      try preprocessor.writeFrame(
        of: picture, geometry: geometry, into: buffer, rowStride: rowStride,
        parallelFor: parallelFor)
    }
    return frame
  }
}

/// Every k-th pixel of a reference frame, channel by channel.
private struct Sample {
  let photo: String
  let stride: Int
  let shape: [Int]
  let values: [Float]

  init(of photo: String, stride: Int, in url: URL) throws {
    let name = photo.prefix { $0 != "." }
    let tensor = try #require(
      try SafetensorsFile(url: url)["\(name).input.stride\(stride)"])
    self.photo = photo
    self.stride = stride
    shape = tensor.shape
    values = tensor.floats()
  }

  /// Expects a frame's pixels to be these.
  ///
  /// Decoders of JPEG differ by a value or two of 255, a fifteenth of a standard deviation here; a
  /// PNG's pixels are exact.
  func compare(_ frame: [Float], width: Int, height: Int) {
    #expect(shape == [3, (height + stride - 1) / stride, (width + stride - 1) / stride])
    guard shape.count == 3 else { return }
    let tolerance: Float = photo.hasSuffix(".jpg") ? 0.07 : 0
    var worst: Float = 0
    for channel in 0..<3 {
      for y in 0..<shape[1] {
        for x in 0..<shape[2] {
          let expected = values[(channel * shape[1] + y) * shape[2] + x]
          let actual = frame[(y * stride * width + x * stride) * 3 + channel]
          worst = max(worst, abs(actual - expected))
        }
      }
    }
    #expect(worst <= tolerance, "\(photo): the worst error is \(worst)")
  }
}
