/// How weights are packed: panels of a few vectors of columns, each panel row after row, its bias first.
///
/// The columns are cut into panels of at most `widest` vectors. A last panel of one vector is avoided where
/// two panels of two can take its place (one vector of columns does not fill the FMA pipes).
@frozen
public struct MatrixLayout {
  /// Floats in a vector.
  public let lanes: Int
  /// Vectors in the widest panel.
  public let widest: Int

  /// A layout for vectors of `lanes` floats, in panels of at most `widest` vectors (1 to 3).
  @inlinable @inline(__always)
  public init(lanes: Int, widest: Int) {
    self.lanes = lanes
    self.widest = widest
  }

  /// Vectors that `columns` columns take.
  @inlinable @inline(__always)
  public func vectors(_ columns: Int) -> Int { (columns + lanes - 1) / lanes }

  /// Vectors in the panel that begins with `left` vectors still to come.
  @inlinable @inline(__always)
  public func panelWidth(left: Int) -> Int {
    if widest == 3 && left == 4 { return 2 }
    return left < widest ? left : widest
  }

  /// Floats that an `inner × columns` matrix and its bias take, the columns rounded up to whole vectors.
  @inlinable @inline(__always)
  public func packedCount(_ inner: Int, _ columns: Int) -> Int {
    (inner + 1) * vectors(columns) * lanes
  }

  /// See ``MatrixKernels/pack``.
  @inlinable @inline(__always)
  public func pack(
    _ matrix: UnsafePointer<Float>, _ innerStride: Int, _ columnStride: Int, _ inner: Int,
    _ columns: Int, _ bias: UnsafePointer<Float>?, _ packed: UnsafeMutablePointer<Float>
  ) {
    var left = vectors(columns)
    var column = 0
    var panel = packed
    while left > 0 {
      let width = panelWidth(left: left)
      let floats = width * lanes
      let valid = min(floats, columns - column)
      for i in 0..<floats {
        if let bias, i < valid { panel[i] = bias[column + i] } else { panel[i] = 0 }
      }
      for k in 0..<inner {
        let row = panel + (k + 1) * floats
        let source = matrix + k * innerStride + column * columnStride
        if columnStride == 1 {
          for i in 0..<valid { row[i] = source[i] }
        } else {
          for i in 0..<valid { row[i] = source[i * columnStride] }
        }
        for i in valid..<floats { row[i] = 0 }
      }
      panel += (inner + 1) * floats
      column += floats
      left -= width
    }
  }
}
