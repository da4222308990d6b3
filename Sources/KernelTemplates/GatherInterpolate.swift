/// `output[i] = row[left[i]] + (row[right[i]] − row[left[i]]) · fraction[i]`; see
/// ``KernelTable/gatherInterpolate``.
///
/// Scalar: the loads are what it costs, and AVX gathers are no faster than single loads.
@inlinable @inline(__always)
public func gatherInterpolate(
  _ row: UnsafePointer<Float>, _ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>,
  _ fraction: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ count: Int
) {
  for i in 0..<count {
    let a = row[Int(left[i])]
    output[i] = a + (row[Int(right[i])] - a) * fraction[i]
  }
}
