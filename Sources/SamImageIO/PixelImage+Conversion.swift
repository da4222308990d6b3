extension PixelImage {
  /// The picture with other channels; the picture itself where they are the same.
  ///
  /// Colour becomes gray by ITU-R 601 luma in 16-bit fixed point (as Pillow computes it); gray is
  /// repeated into colour; alpha is dropped, or added as 255. Cost: one pass.
  ///
  /// - Parameter target: 1 (gray), 3 (RGB) or 4 (RGBA).
  /// - Returns: a picture of the same size.
  public func converted(toChannels target: Int) -> PixelImage {
    precondition(target == 1 || target == 3 || target == 4, "a picture has 1, 3 or 4 channels")
    if target == channels { return self }
    return mapped(toChannels: target) { from, to in
      if target == 1 {
        to[0] = Self.luma(from[0], from[1], from[2])
        return
      }
      to[0] = from[0]
      to[1] = from[hasColor ? 1 : 0]
      to[2] = from[hasColor ? 2 : 0]
      if target == 4 { to[3] = 255 }
    }
  }

  private static func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    let sum = UInt32(red) * 19595 + UInt32(green) * 38470 + UInt32(blue) * 7471
    return UInt8(truncatingIfNeeded: (sum + 32768) >> 16)
  }

  /// The picture without alpha, laid over a gray.
  ///
  /// - Parameter background: 255 is white, 0 is black.
  /// - Returns: the picture itself where it has no alpha.
  public func flattened(over background: UInt8 = 255) -> PixelImage {
    guard hasAlpha else { return self }
    return mapped(toChannels: 3) { from, to in
      let alpha = UInt32(from[3])
      for channel in 0..<3 {
        let sum = UInt32(from[channel]) * alpha + UInt32(background) * (255 - alpha)
        to[channel] = UInt8(truncatingIfNeeded: (sum + 127) / 255)
      }
    }
  }

  /// Computes each pixel of a new picture from the one at its place.
  private func mapped(
    toChannels target: Int,
    _ convert: (_ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>) -> Void
  ) -> PixelImage {
    let count = width * height
    let converted = [UInt8](unsafeUninitializedCapacity: count * target) { output, used in
      pixels.withUnsafeBufferPointer { input in
        guard var from = input.baseAddress, var to = output.baseAddress else { return }
        for _ in 0..<count {
          convert(from, to)
          from += channels
          to += target
        }
      }
      used = count * target
    }
    return PixelImage(width: width, height: height, channels: target, pixels: converted)
  }
}
