import Foundation
import SamSwift
import SamTestSupport

/// A folder to evaluate on: the rocket and a map of two objects.
enum LabelledPhotograph {
  /// Makes `photographs` with `rocket.jpg` (640×427) and its label map, in which the rocket is 5 and the sky's left
  /// third 1.
  static func write(to folder: ScratchFolder) throws {
    let place = URL(fileURLWithPath: folder.path("photographs"))
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      at: TestPhotos.url("rocket.jpg"), to: place.appendingPathComponent("rocket.jpg"))
    let (width, height) = (640, 427)
    var labels = [UInt8](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        if (310..<335).contains(x) && (70..<380).contains(y) { labels[y * width + x] = 5 }
        if x < 200 { labels[y * width + x] = 1 }
      }
    }
    try ImageEncoder.write(
      PixelImage(width: width, height: height, channels: 1, pixels: labels),
      to: place.appendingPathComponent("rocket.png"))
  }
}
