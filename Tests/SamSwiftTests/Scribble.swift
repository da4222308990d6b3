import SamSwift

/// White strokes on black, as a person would draw them.
struct Scribble {
  let width: Int
  let height: Int
  private(set) var pixels: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 0, count: width * height)
  }

  /// The scribble with one more stroke; `thickness` is its half width in pixels.
  func line(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double), thickness: Double = 2
  ) -> Scribble {
    var copy = self
    let steps = Int(max(abs(end.x - start.x), abs(end.y - start.y)) * 2) + 1
    for step in 0...steps {
      let share = Double(step) / Double(steps)
      let x = start.x + (end.x - start.x) * share
      let y = start.y + (end.y - start.y) * share
      for v in Int(y - thickness)...Int(y + thickness) where (0..<height).contains(v) {
        for u in Int(x - thickness)...Int(x + thickness) where (0..<width).contains(u) {
          copy.pixels[v * width + u] = 255
        }
      }
    }
    return copy
  }

  var image: PixelImage {
    PixelImage(width: width, height: height, channels: 1, pixels: pixels)
  }

  /// The strokes in a gray pixel buffer, made as an app would make it.
  func buffer() throws -> CVReadOnlyPixelBuffer {
    var created: CVPixelBuffer?
    let code = CVPixelBufferCreate(
      kCFAllocatorDefault, width, height, kCVPixelFormatType_OneComponent8, nil, &created)
    guard code == kCVReturnSuccess, let buffer = created else {
      throw VisionError.pixelBufferCreationFailed(code)
    }
    CVPixelBufferLockBaseAddress(buffer, [])
    if let base = CVPixelBufferGetBaseAddress(buffer) {
      let row = CVPixelBufferGetBytesPerRow(buffer)
      for y in 0..<height {
        for x in 0..<width {
          base.storeBytes(of: pixels[y * width + x], toByteOffset: y * row + x, as: UInt8.self)
        }
      }
    }
    CVPixelBufferUnlockBaseAddress(buffer, [])
    created = nil
    return CVReadOnlyPixelBuffer(unsafeBuffer: buffer)
  }
}
