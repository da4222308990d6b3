import KernelInterface

/// A bilinear resize that computes one row when it is asked for.
///
/// Keeps the two source rows in use, already stretched, so that reading the rows from top to bottom
/// stretches every source row once: O(output) time and O(width) memory. Not for use from two threads.
final class UpsampledRows {
  private let source: (Int) -> UnsafePointer<Float>
  private let horizontal: BilinearTaps
  private let vertical: BilinearTaps
  private let kernels: KernelTable
  /// Two stretched source rows (row `r` in slot `r & 1`: neighbours never share one), then the output.
  private let storage: UnsafeMutablePointer<Float>
  private var held = (-1, -1)

  /// `source` gives the first value of an input row; it is read before the next row is asked for.
  init(
    horizontal: BilinearTaps, vertical: BilinearTaps, kernels: KernelTable,
    source: @escaping (Int) -> UnsafePointer<Float>
  ) {
    self.source = source
    self.horizontal = horizontal
    self.vertical = vertical
    self.kernels = kernels
    storage = .allocate(capacity: 3 * horizontal.count)
    storage.initialize(repeating: 0, count: 3 * horizontal.count)
  }

  deinit { storage.deallocate() }

  /// Columns of each row.
  var width: Int { horizontal.count }

  /// Row `y` of the output; the pointer is good until the next call.
  func row(_ y: Int) -> UnsafePointer<Float> {
    let top = stretchedRow(Int(vertical.left[y]))
    let fraction = vertical.fraction[y]
    guard fraction > 0 else { return top }
    let bottom = stretchedRow(Int(vertical.right[y]))
    let output = storage + 2 * width
    kernels.interpolate(top, bottom, fraction, output, width)
    return UnsafePointer(output)
  }

  private func stretchedRow(_ index: Int) -> UnsafePointer<Float> {
    let isOdd = index & 1 == 1
    let slot = storage + (isOdd ? width : 0)
    if (isOdd ? held.1 : held.0) != index {
      kernels.gatherInterpolate(
        source(index), horizontal.left, horizontal.right, horizontal.fraction, slot, width)
      if isOdd { held.1 = index } else { held.0 = index }
    }
    return UnsafePointer(slot)
  }
}
