import SamImageIO

extension PixelImage {
  /// The picture with black where alpha is 0.
  ///
  /// Nobody sees those colours, but they would travel in the file: a cut-out should not carry what
  /// was cut away, and its file is less than half as large without. One pass.
  package func withoutHiddenColours() -> PixelImage {
    guard hasAlpha else { return self }
    let cleared = [UInt8](unsafeUninitializedCapacity: pixels.count) { output, used in
      pixels.withUnsafeBufferPointer { input in
        for start in stride(from: 0, to: input.count, by: channels) {
          let isSeen = input[start + channels - 1] > 0
          for index in start..<(start + channels) { output[index] = isSeen ? input[index] : 0 }
        }
      }
      used = pixels.count
    }
    return PixelImage(width: width, height: height, channels: channels, pixels: cleared)
  }
}
