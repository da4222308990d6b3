/// Thirty-two 16-bit values, as the C shims pass them.
public typealias PairVector = SIMD8<Int64>

/// The instruction that multiplies pairs: `sum[i] + left[2i] · right[2i] + left[2i + 1] · right[2i + 1]`.
public typealias PairProduct = (
  _ sum: SIMD16<Float>, _ left: PairVector, _ right: PairVector
) -> SIMD16<Float>

/// A row of accumulators that takes in the inner dimension by pairs of 16-bit values.
///
/// The instruction comes from outside: this module is compiled without it. The conformances stand here and not
/// beside the kernel, because a module compiled for one CPU must not hold their shared metadata functions.
public protocol PairRow: TileRow where Vector == SIMD16<Float> {
  /// Takes in one pair of inner indices: `right` holds its values for this row's columns, two in each float's place.
  mutating func accumulate(
    pairs left: PairVector, _ right: UnsafePointer<Float>, _ product: PairProduct)
}

@inlinable @inline(__always)
func loadPairs(_ pointer: UnsafePointer<Float>) -> PairVector {
  UnsafeRawPointer(pointer).loadUnaligned(as: PairVector.self)
}

extension TileRow1: PairRow where V == SIMD16<Float> {
  /// Takes in one pair of inner indices: 16 columns from `right`.
  @inlinable @inline(__always)
  public mutating func accumulate(
    pairs left: PairVector, _ right: UnsafePointer<Float>, _ product: PairProduct
  ) {
    a = product(a, left, loadPairs(right))
  }
}

extension TileRow2: PairRow where V == SIMD16<Float> {
  /// Takes in one pair of inner indices: 32 columns from `right`.
  @inlinable @inline(__always)
  public mutating func accumulate(
    pairs left: PairVector, _ right: UnsafePointer<Float>, _ product: PairProduct
  ) {
    a = product(a, left, loadPairs(right))
    b = product(b, left, loadPairs(right + 16))
  }
}

extension TileRow3: PairRow where V == SIMD16<Float> {
  /// Takes in one pair of inner indices: 48 columns from `right`.
  @inlinable @inline(__always)
  public mutating func accumulate(
    pairs left: PairVector, _ right: UnsafePointer<Float>, _ product: PairProduct
  ) {
    a = product(a, left, loadPairs(right))
    b = product(b, left, loadPairs(right + 16))
    c = product(c, left, loadPairs(right + 32))
  }
}
