import Foundation
import SamImageIO

/// The command as a user runs it: a new process, a 1200×800 JPEG in, a PNG mask out.
enum ProcessBenchmarks {
  static func all() -> [Benchmark] {
    let command = Bundle.main.bundleURL.appendingPathComponent("samswift")
    guard FileManager.default.isExecutableFile(atPath: command.path) else { return [] }
    return BenchModel.available.flatMap { model in
      ["auto", "f32"].map { precision in
        Benchmark("process/\(model.rawValue)/jpeg-to-mask/\(precision)") {
          let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "samswift-bench-\(ProcessInfo.processInfo.processIdentifier)")
          try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
          let photo = folder.appendingPathComponent("photo.jpg")
          let picture = BenchPicture.make(width: 1200, height: 800)
          try ImageEncoder.write(
            PixelImage(width: 1200, height: 800, channels: 3, pixels: picture.pixels), to: photo)
          guard let weights = model.file else { throw BenchError.failed("no weights") }
          let arguments = [
            "segment", photo.path, "--point", "600,400", "--weights", weights.path, "--precision",
            precision, "--output", folder.appendingPathComponent("mask.png").path,
          ]
          return {
            let process = Process()
            process.executableURL = command
            process.arguments = arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
              throw BenchError.failed("samswift ended with \(process.terminationStatus)")
            }
            return 0
          }
        }
      }
    }
  }
}
