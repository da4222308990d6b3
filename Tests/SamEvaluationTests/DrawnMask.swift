import SamEvaluation

extension BinaryMask {
  /// A mask drawn row by row; `#` is inside.
  init(_ rows: String...) {
    self.init(
      width: rows[0].count, height: rows.count,
      bytes: rows.joined().map { $0 == "#" ? 1 : 0 })
  }

  /// A mask by a rule for each pixel.
  init(width: Int, height: Int, isInside: (_ x: Int, _ y: Int) -> Bool) {
    self.init(
      width: width, height: height,
      bytes: (0..<width * height).map { isInside($0 % width, $0 / width) ? 1 : 0 })
  }
}
