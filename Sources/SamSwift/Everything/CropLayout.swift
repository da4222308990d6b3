/// A part of a picture, in pixels.
package struct CropBox: Sendable, Hashable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  var area: Int { width * height }
}

/// Where SAM looks, and with which grid of clicks.
package struct CropLayout: Sendable {
  package struct Crop: Sendable {
    package let box: CropBox
    package let pointsPerSide: Int
  }

  /// The whole picture first, then layer by layer.
  package let crops: [Crop]

  package init(width: Int, height: Int, options: SamEverythingOptions) {
    var crops = [
      Crop(
        box: CropBox(x: 0, y: 0, width: width, height: height),
        pointsPerSide: options.pointsPerSide)
    ]
    var divisor = 1
    for layer in 0..<options.cropLayers {
      divisor *= options.cropPointsDownscale
      let perSide = 2 << layer
      let overlap = Int(
        options.cropOverlapRatio * Double(min(width, height)) * (2 / Double(perSide)))
      func length(_ whole: Int) -> Int {
        (overlap * (perSide - 1) + whole + perSide - 1) / perSide
      }
      let (cropWidth, cropHeight) = (length(width), length(height))
      for column in 0..<perSide {
        for row in 0..<perSide {
          let (x, y) = ((cropWidth - overlap) * column, (cropHeight - overlap) * row)
          let box = CropBox(
            x: x, y: y, width: min(cropWidth, width - x), height: min(cropHeight, height - y))
          // A picture of a few pixels has fewer crops than the layer wants.
          guard box.width > 0, box.height > 0 else { continue }
          crops.append(Crop(box: box, pointsPerSide: max(1, options.pointsPerSide / divisor)))
        }
      }
    }
    self.crops = crops
  }

  /// Clicks in all.
  package var pointCount: Int { crops.reduce(0) { $0 + $1.pointsPerSide * $1.pointsPerSide } }
}

extension CropLayout.Crop {
  /// The grid of clicks in pixels of the crop, row by row; each in the middle of its cell.
  package var points: [(x: Double, y: Double)] {
    let offset = 1 / Double(2 * pointsPerSide)
    let step = pointsPerSide > 1 ? (1 - 2 * offset) / Double(pointsPerSide - 1) : 0
    let places = (0..<pointsPerSide).map { offset + Double($0) * step }
    return places.flatMap { y in
      places.map { x in (x * Double(box.width), y * Double(box.height)) }
    }
  }
}
