import KernelInterface

/// One row of an accumulator tile: one to three vectors of a panel's columns.
public protocol TileRow {
  /// The vectors that the row is made of.
  associatedtype Vector: KernelVector
  /// Vectors in the row.
  static var width: Int { get }
  /// Zeros in every column.
  init()
  /// The first columns from `pointer` on, `width` vectors of them.
  init(loading pointer: UnsafePointer<Float>)
  /// `self += left · right`.
  mutating func accumulate(_ left: Float, _ right: Self)
  /// Adds the residual, clips where the activation is a ReLU, and writes the first `count` columns.
  ///
  /// GELU is left to a second pass. Columns from `count` on are neither read from the residual nor written.
  func finish(
    residual: UnsafePointer<Float>?, activation: Activation, output: UnsafeMutablePointer<Float>,
    count: Int)
  /// Writes every column, clipped to `lower ... upper` (NaN stays NaN).
  func store(lower: Vector, upper: Vector, to output: UnsafeMutablePointer<Float>)
}

/// Adds the residual, clips where the activation is a ReLU, and writes the lanes of one vector that exist.
@inlinable @inline(__always)
func finishVector<V: KernelVector>(
  _ sum: V, _ residual: UnsafePointer<Float>?, _ activation: Activation,
  _ output: UnsafeMutablePointer<Float>, _ count: Int
) {
  let isWhole = count >= V.scalarCount
  guard isWhole || count > 0 else { return }
  var value = sum
  if let residual {
    value =
      value
      + (isWhole
        ? loadVector(residual, as: V.self) : loadPart(residual, count, filler: 0, as: V.self))
  }
  if activation == .relu || activation == .relu6 { value = value.raised(to: V.zero) }
  if activation == .relu6 { value = value.lowered(to: V(repeating: 6)) }
  if isWhole {
    storeVector(value, to: output)
  } else {
    storePart(value, to: output, count)
  }
}

/// One vector of columns.
@frozen
public struct TileRow1<V: KernelVector>: TileRow {
  /// The kernel's own vector type.
  public typealias Vector = V

  /// The sums of the first vector's columns.
  public var a: V

  /// Always 1.
  @inlinable @inline(__always)
  public static var width: Int { 1 }

  /// Zeros in every column.
  @inlinable @inline(__always)
  public init() {
    a = V.zero
  }

  /// The first columns from `pointer` on, which needs no alignment.
  @inlinable @inline(__always)
  public init(loading pointer: UnsafePointer<Float>) {
    a = loadVector(pointer, as: V.self)
  }

  /// `self += left · right`, one multiply-add a vector.
  @inlinable @inline(__always)
  public mutating func accumulate(_ left: Float, _ right: Self) {
    a = V.multiplyAdd(V(repeating: left), right.a, a)
  }

  /// Writes every column, clipped.
  @inlinable @inline(__always)
  public func store(lower: V, upper: V, to output: UnsafeMutablePointer<Float>) {
    storeVector(a.raised(to: lower).lowered(to: upper), to: output)
  }

  /// Writes the first `count` columns; see ``TileRow/finish(residual:activation:output:count:)``.
  @inlinable @inline(__always)
  public func finish(
    residual: UnsafePointer<Float>?, activation: Activation, output: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    finishVector(a, residual, activation, output, count)
  }
}

/// Two vectors of columns.
@frozen
public struct TileRow2<V: KernelVector>: TileRow {
  /// The kernel's own vector type.
  public typealias Vector = V

  /// The sums of the first vector's columns.
  public var a: V
  /// The sums of the second vector's columns.
  public var b: V

  /// Always 2.
  @inlinable @inline(__always)
  public static var width: Int { 2 }

  /// Zeros in every column.
  @inlinable @inline(__always)
  public init() {
    a = V.zero
    b = V.zero
  }

  /// The first columns from `pointer` on, which needs no alignment.
  @inlinable @inline(__always)
  public init(loading pointer: UnsafePointer<Float>) {
    a = loadVector(pointer, as: V.self)
    b = loadVector(pointer + V.scalarCount, as: V.self)
  }

  /// `self += left · right`, one multiply-add a vector.
  @inlinable @inline(__always)
  public mutating func accumulate(_ left: Float, _ right: Self) {
    let factor = V(repeating: left)
    a = V.multiplyAdd(factor, right.a, a)
    b = V.multiplyAdd(factor, right.b, b)
  }

  /// Writes every column, clipped.
  @inlinable @inline(__always)
  public func store(lower: V, upper: V, to output: UnsafeMutablePointer<Float>) {
    storeVector(a.raised(to: lower).lowered(to: upper), to: output)
    storeVector(b.raised(to: lower).lowered(to: upper), to: output + V.scalarCount)
  }

  /// Writes the first `count` columns; see ``TileRow/finish(residual:activation:output:count:)``.
  @inlinable @inline(__always)
  public func finish(
    residual: UnsafePointer<Float>?, activation: Activation, output: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    let w = V.scalarCount
    finishVector(a, residual, activation, output, count)
    finishVector(b, residual.map { $0 + w }, activation, output + w, count - w)
  }
}

/// Three vectors of columns.
@frozen
public struct TileRow3<V: KernelVector>: TileRow {
  /// The kernel's own vector type.
  public typealias Vector = V

  /// The sums of the first vector's columns.
  public var a: V
  /// The sums of the second vector's columns.
  public var b: V
  /// The sums of the third vector's columns.
  public var c: V

  /// Always 3.
  @inlinable @inline(__always)
  public static var width: Int { 3 }

  /// Zeros in every column.
  @inlinable @inline(__always)
  public init() {
    a = V.zero
    b = V.zero
    c = V.zero
  }

  /// The first columns from `pointer` on, which needs no alignment.
  @inlinable @inline(__always)
  public init(loading pointer: UnsafePointer<Float>) {
    a = loadVector(pointer, as: V.self)
    b = loadVector(pointer + V.scalarCount, as: V.self)
    c = loadVector(pointer + 2 * V.scalarCount, as: V.self)
  }

  /// `self += left · right`, one multiply-add a vector.
  @inlinable @inline(__always)
  public mutating func accumulate(_ left: Float, _ right: Self) {
    let factor = V(repeating: left)
    a = V.multiplyAdd(factor, right.a, a)
    b = V.multiplyAdd(factor, right.b, b)
    c = V.multiplyAdd(factor, right.c, c)
  }

  /// Writes every column, clipped.
  @inlinable @inline(__always)
  public func store(lower: V, upper: V, to output: UnsafeMutablePointer<Float>) {
    storeVector(a.raised(to: lower).lowered(to: upper), to: output)
    storeVector(b.raised(to: lower).lowered(to: upper), to: output + V.scalarCount)
    storeVector(c.raised(to: lower).lowered(to: upper), to: output + 2 * V.scalarCount)
  }

  /// Writes the first `count` columns; see ``TileRow/finish(residual:activation:output:count:)``.
  @inlinable @inline(__always)
  public func finish(
    residual: UnsafePointer<Float>?, activation: Activation, output: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    let w = V.scalarCount
    finishVector(a, residual, activation, output, count)
    finishVector(b, residual.map { $0 + w }, activation, output + w, count - w)
    finishVector(c, residual.map { $0 + 2 * w }, activation, output + 2 * w, count - 2 * w)
  }
}
