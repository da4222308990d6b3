import Foundation
import SamEvaluation
import SamSwift
import SamTestSupport

/// Two of the test photographs with rough label maps, for evaluations.
struct LabelledFolder {
  let folder: TemporaryFolder

  var url: URL { folder.url }

  /// `cup.jpg` (600×400) with the cup as label 3, the spoon's corner as 7 and a speck as 9; `rocket.jpg` (640×427) with
  /// the rocket as label 200 and nearly everything else as 1.
  init() throws {
    folder = try TemporaryFolder()
    let cup = try ImageDecoder().decode(contentsOf: TestPhotos.url("coffee.png"))
    try ImageEncoder.write(cup, to: folder.file("cup.jpg"))
    try Self.write(to: folder.file("cup.png"), width: 600, height: 400) { x, y in
      let (dx, dy) = (Double(x - 300) / 120, Double(y - 170) / 140)
      if dx * dx + dy * dy < 1 { return 3 }
      if x > 500 && y > 300 { return 7 }
      return x < 10 && y < 10 ? 9 : 0
    }
    try FileManager.default.copyItem(
      at: TestPhotos.url("rocket.jpg"), to: folder.file("rocket.jpg"))
    try Self.write(to: folder.file("rocket.png"), width: 640, height: 427) { x, y in
      (310..<335).contains(x) && (70..<380).contains(y) ? 200 : 1
    }
    // What is no pair is passed over.
    _ = try folder.write([1, 2, 3], as: "alone.jpg")
    _ = try folder.write([1, 2, 3], as: "notes.txt")
  }

  /// Writes a gray label map.
  static func write(
    to file: URL, width: Int, height: Int, label: (_ x: Int, _ y: Int) -> UInt8
  ) throws {
    let labels = PixelImage(
      width: width, height: height, channels: 1,
      pixels: (0..<width * height).map { label($0 % width, $0 / width) })
    try ImageEncoder.write(labels, to: file)
  }
}
