import Foundation
import SamCheckpoint
import SamModel
import SamTensor
import SamWeights

/// The models that are benchmarked, where their files are at hand.
enum BenchModel: String, CaseIterable {
  case lite
  case mobileSAM = "mobile-sam"

  /// nil where the file is missing: the model is left out.
  var file: URL? {
    switch self {
    case .lite: return LiteWeights.locate()
    case .mobileSAM:
      let folder =
        ProcessInfo.processInfo.environment["SAMSWIFT_REFERENCE"]
        ?? URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../shared/reference")
        .standardizedFileURL.path
      let url = URL(fileURLWithPath: folder).appendingPathComponent("mobile_sam_synthetic.pt")
      return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }
  }

  static var available: [BenchModel] { allCases.filter { $0.file != nil } }

  var frameSize: Int { self == .lite ? 512 : 1024 }

  func network(_ precision: NetworkOptions.Precision, threads: Int) throws -> SegmentationNetwork {
    guard let file else { throw BenchError.failed("\(rawValue): no weights") }
    return try SegmentationNetwork(
      checkpoint: CheckpointFile.open(file),
      options: NetworkOptions(precision: precision, threads: threads))
  }
}

/// Pictures of any size: smooth colours with edges, the same every time.
enum BenchPicture {
  static func make(width: Int, height: Int) -> Picture {
    var pixels = [UInt8](repeating: 0, count: width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        let isObject =
          (x - width / 2) * (x - width / 2) + (y - height / 2) * (y - height / 2)
          < width * height / 16
        let i = (y * width + x) * 3
        pixels[i] = isObject ? 220 : UInt8(truncatingIfNeeded: x * 255 / width)
        pixels[i + 1] = isObject ? 60 : UInt8(truncatingIfNeeded: y * 255 / height)
        pixels[i + 2] = isObject ? 40 : 128
      }
    }
    return Picture(width: width, height: height, channels: 3, pixels: pixels)
  }
}
