import SamImageIO
import SamSwift

/// A click to its mask at each quality level, on pictures of 1, 12 and 48 megapixels.
enum MaskBenchmarks {
  static func all() -> [Benchmark] {
    let sizes = [("1MP", 1200, 800), ("12MP", 4000, 3000), ("48MP", 8000, 6000)]
    return sizes.flatMap { name, width, height in
      SamQuality.allCases.map { quality in
        Benchmark("click-to-mask/lite/\(name)/\(quality.rawValue)") {
          let session = try SamSession(model: .bundled(.lite))
          let picture = BenchPicture.make(width: width, height: height)
          try session.setImage(
            PixelImage(width: width, height: height, channels: 3, pixels: picture.pixels))
          let point = SamPoint(x: Double(width) / 2, y: Double(height) / 2)
          let options = SamPredictOptions(quality: quality)
          return { Double(try session.predict(points: [point], options: options).masks[0].score) }
        }
      }
    }
  }
}
