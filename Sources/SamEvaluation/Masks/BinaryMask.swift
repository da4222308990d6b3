/// A mask of the picture's size: one byte a pixel, 1 inside and 0 outside.
package struct BinaryMask: Sendable, Equatable {
  package let width: Int
  package let height: Int
  /// `width · height` zeros and ones, row-major.
  package let bytes: [UInt8]

  package init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(
      width > 0 && height > 0 && bytes.count == width * height,
      "\(bytes.count) bytes do not fill \(width)×\(height)")
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// The smallest rectangle that holds everything inside; nil for an empty mask.
  package var bounds: PixelBounds? {
    bytes.withUnsafeBufferPointer { bytes in
      var columns: Range<Int>?
      var rows: Range<Int>?
      for y in 0..<height {
        let row = bytes[y * width..<(y + 1) * width]
        guard let first = row.firstIndex(of: 1), let last = row.lastIndex(of: 1) else { continue }
        let (left, right) = (first - y * width, last - y * width + 1)
        columns = min(columns?.lowerBound ?? left, left)..<max(columns?.upperBound ?? right, right)
        rows = (rows?.lowerBound ?? y)..<y + 1
      }
      guard let columns, let rows else { return nil }
      return PixelBounds(columns: columns, rows: rows)
    }
  }
}

/// A rectangle of whole pixels.
package struct PixelBounds: Sendable, Equatable {
  package var columns: Range<Int>
  package var rows: Range<Int>

  package init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }
}
