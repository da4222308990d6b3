// Pictures and what is done with them are part of the API: `import SamSwift` brings PixelImage, the codecs,
// cut-outs, effects and exports.
@_exported import SamEditing
@_exported import SamImageIO
