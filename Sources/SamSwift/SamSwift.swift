// Pictures are part of the API: `import SamSwift` brings PixelImage, ImageOrientation and the codecs.
@_exported import SamImageIO
