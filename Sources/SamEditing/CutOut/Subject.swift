import SamImageIO

/// An object freed of its background: its own colours, and how much of each pixel it covers.
struct Subject: Sendable {
  let width: Int
  let height: Int
  /// Red, green, blue of the object alone; what lies where `alpha` is 0 means nothing.
  let colours: [UInt8]
  /// One byte a pixel.
  let alpha: [UInt8]

  /// The picture's own colours under a mask of its size.
  init(_ picture: PixelImage, alpha: [UInt8]) {
    width = picture.width
    height = picture.height
    colours = picture.converted(toChannels: 3).pixels
    self.alpha = alpha
  }

  init(width: Int, height: Int, colours: [UInt8], alpha: [UInt8]) {
    self.width = width
    self.height = height
    self.colours = colours
    self.alpha = alpha
  }
}
