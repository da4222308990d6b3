import SamImageIO

/// Extent and size of what lies inside a gray mask.
package struct MaskMeasure: Sendable, Equatable {
  /// Pixels inside.
  package private(set) var count = 0
  /// The smallest rectangle round them, in pixels of the mask; empty where nothing is inside.
  package private(set) var columns = 0..<0
  package private(set) var rows = 0..<0

  /// Reads every pixel of a gray picture once; `threshold` and above is inside.
  package init(_ mask: PixelImage, from threshold: UInt8 = 128) {
    precondition(mask.channels == 1, "a mask is gray, not of \(mask.channels) channels")
    let width = mask.width
    mask.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<mask.height {
        let row = UnsafeBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
        var inside = 0
        for value in row { inside += value >= threshold ? 1 : 0 }
        guard inside > 0, let first = row.firstIndex(where: { $0 >= threshold }),
          let last = row.lastIndex(where: { $0 >= threshold })
        else { continue }
        columns =
          count == 0
          ? first..<last + 1
          : min(columns.lowerBound, first)..<max(columns.upperBound, last + 1)
        rows = (count == 0 ? y : rows.lowerBound)..<y + 1
        count += inside
      }
    }
  }
}
