import Dispatch
import Foundation
import SamModel
import Synchronization
import Testing

/// The resizers against Pillow and OpenCV, by checksums of whole results.
struct ResizeTests {
  @Test(arguments: ResizeCase.all)
  func equalsTheLibraryBitForBit(_ golden: ResizeCase) {
    let rgb = resized(golden.picture, by: golden.resizer)
    #expect(Array(rgb.prefix(6)) == golden.firstBytes)
    #expect(crc32(rgb) == golden.checksum)
  }

  @Test func allGoldensAreRead() {
    #expect(ResizeCase.all.count == 90)
  }

  @Test func handsOutEveryRowOnce() {
    let resizer = PillowBilinearResize(
      inputWidth: 40, inputHeight: 300, outputWidth: 17, outputHeight: 200)
    let rows = Mutex<[Int]>([])
    resizer.resize(noise(width: 40, height: 300, channels: 4), parallelFor: concurrently) {
      y, rgb in
      rows.withLock { $0.append(rgb.count == 51 ? y : -1) }
    }
    #expect(rows.withLock { $0.sorted() } == Array(0..<200))
  }

  @Test(arguments: [1, 3, 4])
  func keepsAPictureOfTheRightSize(channels: Int) {
    let picture = noise(width: 33, height: 65, channels: channels)
    let expected = (0..<33 * 65).flatMap { pixel in
      (0..<3).map { picture.pixels[pixel * channels + (channels == 1 ? 0 : $0)] }
    }
    let sizes = (inputWidth: 33, inputHeight: 65, outputWidth: 33, outputHeight: 65)
    let pillow = PillowBilinearResize(
      inputWidth: sizes.inputWidth, inputHeight: sizes.inputHeight,
      outputWidth: sizes.outputWidth, outputHeight: sizes.outputHeight)
    let openCV = OpenCVResize(
      inputWidth: sizes.inputWidth, inputHeight: sizes.inputHeight,
      outputWidth: sizes.outputWidth, outputHeight: sizes.outputHeight)
    #expect(resized(picture, by: pillow) == expected)
    #expect(resized(picture, by: openCV) == expected)
  }
}

/// A line of Goldens/resizes.txt; see Goldens/make_resizes.py.
struct ResizeCase: Sendable, CustomTestStringConvertible {
  let method: String
  /// Input width, height and channels, output width and height.
  let sizes: [Int]
  let checksum: UInt32
  let firstBytes: [UInt8]

  var testDescription: String { "\(method) \(sizes)" }

  var picture: Picture { noise(width: sizes[0], height: sizes[1], channels: sizes[2]) }

  var resizer: any RowResizing {
    method == "pillow"
      ? PillowBilinearResize(
        inputWidth: sizes[0], inputHeight: sizes[1], outputWidth: sizes[3], outputHeight: sizes[4])
      : OpenCVResize(
        inputWidth: sizes[0], inputHeight: sizes[1], outputWidth: sizes[3], outputHeight: sizes[4])
  }

  static let all: [ResizeCase] = {
    let url = Bundle.module.bundleURL.appendingPathComponent("Goldens/resizes.txt")
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").map { line in
      let fields = line.split(separator: " ")
      return ResizeCase(
        method: String(fields[0]), sizes: fields[1...5].compactMap { Int($0) },
        checksum: UInt32(fields[6], radix: 16) ?? 0,
        firstBytes: fields[7].split(separator: ",").compactMap { UInt8($0) })
    }
  }()
}

/// Repeatable noise; the generator of Goldens/make_resizes.py.
func noise(width: Int, height: Int, channels: Int) -> Picture {
  let count = width * height * channels
  var pixels: [UInt8] = []
  pixels.reserveCapacity(count)
  while pixels.count < count {
    pixels += noiseTable.prefix(count - pixels.count)
  }
  return Picture(width: width, height: height, channels: channels, pixels: pixels)
}

private let noiseTable: [UInt8] = {
  var state: UInt32 = 1
  return (0..<65521).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return UInt8(truncatingIfNeeded: state >> 24)
  }
}()

/// Runs iterations on all cores.
func concurrently(_ count: Int, _ body: @Sendable (Int) -> Void) {
  DispatchQueue.concurrentPerform(iterations: count) { body($0) }
}

/// The whole result of a resizer, RGB.
func resized(_ picture: Picture, by resizer: any RowResizing) -> [UInt8] {
  let rowLength = resizer.outputWidth * 3
  let count = rowLength * resizer.outputHeight
  return [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
    // Each row is written by one call.
    nonisolated(unsafe) let start = buffer.baseAddress
    resizer.resize(picture, parallelFor: concurrently) { y, rgb in
      guard let start, let row = rgb.baseAddress else { return }
      (start + y * rowLength).update(from: row, count: rowLength)
    }
    used = count
  }
}

/// The checksum that zlib and PNG use.
private func crc32(_ bytes: [UInt8]) -> UInt32 {
  let table = (0..<UInt32(256)).map { index in
    (0..<8).reduce(index) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
  }
  var value = UInt32.max
  bytes.withUnsafeBufferPointer { bytes in
    table.withUnsafeBufferPointer { table in
      for byte in bytes {
        value = value &>> 8 ^ table[Int(truncatingIfNeeded: value & 0xFF) ^ Int(byte)]
      }
    }
  }
  return ~value
}
