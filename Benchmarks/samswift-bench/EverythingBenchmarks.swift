import SamImageIO
import SamSwift

/// Every object of a picture of one megapixel, with SAM's grid of 32 × 32 clicks.
enum EverythingBenchmarks {
  static func all() -> [Benchmark] {
    BenchModel.available.map { model in
      Benchmark("everything/\(model.rawValue)/1MP/32x32") {
        guard let file = model.file else {
          throw BenchError.failed("\(model.rawValue): no weights")
        }
        let session = try SamSession(
          model: .file(file), configuration: SamConfiguration(precision: .float32))
        let picture = BenchPicture.make(width: 1200, height: 800)
        try session.setImage(
          PixelImage(width: 1200, height: 800, channels: 3, pixels: picture.pixels))
        return { Double(try session.segmentEverything().segments.count) }
      }
    }
  }
}
