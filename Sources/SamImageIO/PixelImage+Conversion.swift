extension PixelImage {
  /// The picture in another format; the picture itself where the format is the same.
  ///
  /// Colour becomes gray by ITU-R 601 luma in 16-bit fixed point (as Pillow computes it); gray is
  /// repeated into colour; alpha is dropped, or added as 255. Cost: one pass.
  ///
  /// - Parameter target: the wanted format.
  /// - Returns: a picture of the same size.
  public func converted(to target: Format) -> PixelImage {
    if target == format { return self }
    let sourceChannels = format.channels
    let targetChannels = target.channels
    let count = width * height
    let converted = [UInt8](unsafeUninitializedCapacity: count * targetChannels) { output, used in
      pixels.withUnsafeBufferPointer { input in
        for pixel in 0..<count {
          let from = pixel * sourceChannels
          let to = pixel * targetChannels
          if target.hasColor {
            output[to] = input[from]
            output[to + 1] = input[format.hasColor ? from + 1 : from]
            output[to + 2] = input[format.hasColor ? from + 2 : from]
          } else if format.hasColor {
            output[to] = Self.luma(input[from], input[from + 1], input[from + 2])
          } else {
            output[to] = input[from]
          }
          if target.hasAlpha {
            output[to + targetChannels - 1] =
              format.hasAlpha ? input[from + sourceChannels - 1] : 255
          }
        }
      }
      used = count * targetChannels
    }
    return PixelImage(width: width, height: height, format: target, pixels: converted)
  }

  private static func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    let sum = UInt32(red) * 19595 + UInt32(green) * 38470 + UInt32(blue) * 7471
    return UInt8(truncatingIfNeeded: (sum + 32768) >> 16)
  }

  /// The picture without alpha, laid over a colour that is the same in every channel.
  ///
  /// - Parameter background: 255 is white, 0 is black.
  /// - Returns: the picture itself where it has no alpha.
  public func flattened(over background: UInt8 = 255) -> PixelImage {
    guard format.hasAlpha else { return self }
    let target: Format = format.hasColor ? .rgb : .gray
    let sourceChannels = format.channels
    let targetChannels = target.channels
    let count = width * height
    let flat = [UInt8](unsafeUninitializedCapacity: count * targetChannels) { output, used in
      pixels.withUnsafeBufferPointer { input in
        for pixel in 0..<count {
          let alpha = UInt32(input[pixel * sourceChannels + targetChannels])
          for channel in 0..<targetChannels {
            let value = UInt32(input[pixel * sourceChannels + channel])
            let sum = value * alpha + UInt32(background) * (255 - alpha)
            output[pixel * targetChannels + channel] = UInt8((sum + 127) / 255)
          }
        }
      }
      used = count * targetChannels
    }
    return PixelImage(width: width, height: height, format: target, pixels: flat)
  }
}
