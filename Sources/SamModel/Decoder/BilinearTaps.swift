/// Where each output position of a bilinear resize reads along one axis.
///
/// The convention is PyTorch's `align_corners=False`: output centre `(i + 0.5) · scale − 0.5`, held
/// inside the input at both ends.
struct BilinearTaps: Sendable {
  /// Index of the nearer tap to the left (or above).
  let left: [Int32]
  /// Index of the tap to the right (or below); equal to `left` at the end of the input.
  let right: [Int32]
  /// Weight of the right tap, 0 ..< 1.
  let fraction: [Float]

  /// Taps for the first `count` outputs over `inputCount` inputs, `scale` inputs to an output.
  init(inputCount: Int, count: Int, scale: Float) {
    var left = [Int32](repeating: 0, count: count)
    var right = left
    var fraction = [Float](repeating: 0, count: count)
    let last = inputCount - 1
    for i in 0..<count {
      let position = max(0, scale * (Float(i) + 0.5) - 0.5)
      let index = min(Int(position), last)
      left[i] = Int32(index)
      right[i] = Int32(min(index + 1, last))
      fraction[i] = min(max(position - Float(index), 0), 1)
    }
    self.left = left
    self.right = right
    self.fraction = fraction
  }

  /// Taps for a resize of all `inputCount` inputs to `count` outputs.
  init(inputCount: Int, count: Int) {
    self.init(inputCount: inputCount, count: count, scale: Float(inputCount) / Float(count))
  }

  var count: Int { left.count }
}
